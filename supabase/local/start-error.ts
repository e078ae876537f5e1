/** A reason why the stack cannot start, in words for the person at the terminal: what happened, and what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}

/** The code of a Node system error such as `EADDRINUSE`, if it is one. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** What an unknown thrown value says. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
