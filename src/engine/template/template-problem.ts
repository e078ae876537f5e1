/** What kind of trouble: `missing` paths may be tolerated (an optional session id); the others never. */
export type TemplateProblemKind = "syntax" | "missing" | "value" | "limit";

/** A template that cannot be read or resolved. `position` counts characters from the start of the field, from 0. */
export class TemplateProblem extends Error {
  readonly kind: TemplateProblemKind;
  readonly position: number;
  readonly hint: string;
  constructor(kind: TemplateProblemKind, position: number, message: string, hint: string) {
    super(message);
    this.name = "TemplateProblem";
    this.kind = kind;
    this.position = position;
    this.hint = hint;
  }

  /** The same trouble, counted from the start of the text that the expression stands in. */
  shiftedBy(offset: number): TemplateProblem {
    return new TemplateProblem(this.kind, this.position + offset, this.message, this.hint);
  }
}
