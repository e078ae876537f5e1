/** What an error says one can do about it, if it does. */
export function errorHint(error: unknown): string | undefined {
  return error instanceof Error && "hint" in error && typeof error.hint === "string" ? error.hint : undefined;
}
