/** Why a document cannot be read or made, in words, and what to do. */
export class DocumentError extends Error {
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.name = "DocumentError";
    this.hint = hint;
  }
}
