/** What kind of trouble: `missing` paths may be tolerated (an optional session id); the others never. */
type TemplateProblemKind = "syntax" | "missing" | "value" | "limit";

/** A template that cannot be read or resolved. `position` counts characters from the start of the text, from 0. */
export class TemplateProblem extends Error {
  readonly kind: TemplateProblemKind;
  readonly position: number;
  readonly hint: string;
  /** The entry of a field of several texts, such as `"total"` or `item 2`; empty for a field that is one text. */
  readonly entry: string;
  constructor(kind: TemplateProblemKind, position: number, message: string, hint: string, entry = "") {
    super(message);
    this.name = "TemplateProblem";
    this.kind = kind;
    this.position = position;
    this.hint = hint;
    this.entry = entry;
  }

  /** The same trouble, counted from the start of the text that the expression stands in. */
  shiftedBy(offset: number): TemplateProblem {
    return new TemplateProblem(this.kind, this.position + offset, this.message, this.hint, this.entry);
  }

  /** The same trouble, in the entry `key` of a field of several texts: a name, or a number from 0. */
  inEntry(key: string | number): TemplateProblem {
    const own = typeof key === "number" ? `item ${key + 1}` : JSON.stringify(key);
    const entry = this.entry === "" ? own : `${own}, ${this.entry}`;
    return new TemplateProblem(this.kind, this.position, this.message, this.hint, entry);
  }

  /** Where in the field it is, for people: entry and character, from 1. */
  get place(): string {
    return `${this.entry === "" ? "" : `${this.entry}, `}character ${this.position + 1}`;
  }
}
