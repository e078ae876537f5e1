/**
 * A translated piece of JavaScript: the CEL text and what is known of its value. JavaScript's undefined is an optional
 * value of CEL without one, so that the functions of the expression language can treat it as JavaScript would.
 */
export interface Piece {
  code: string;
  /** `opt`: a path whose last step may be missing. `int`: a whole number as written. `dyn`: anything. */
  kind: "string" | "number" | "int" | "bool" | "null" | "list" | "map" | "date" | "opt" | "dyn" | "special";
  /** The same path, failing where it is missing. */
  strict?: string;
  /** The time zone of a date, as CEL text. */
  zone?: string;
  /** The language of a date, as CEL text. */
  language?: string;
  /** A text or number as written in the source. */
  literal?: string | number;
  special?: Special;
  /** A date of JavaScript's own, not of Luxon. */
  plain?: boolean;
  /** A date that JavaScript may not have been able to read, or a number of it: what is compared with it is false. */
  uncertain?: boolean;
  /** The keys and values of an object as written in the source. */
  entries?: readonly (readonly [key: string, value: Piece])[];
  /** An object that could be meant as a length of time: amounts and units, as CEL text. */
  duration?: readonly (readonly [amount: string, unit: string])[];
}

/** What is no value of its own in CEL. */
export type Special =
  /** `item`: the one that a loop is at, of a list of items; `isList`: it gives one. */
  | { is: "node"; code: string; item?: string; isList?: boolean }
  | { is: "item"; code: string }
  | { is: "all"; code: string }
  | { is: "nodes" }
  | { is: "execution" }
  | { is: "regex"; source: string; flags: string }
  | { is: "span"; from: string; to: string; zone: string }
  | { is: "namespace"; name: string }
  /** What is not known where it is used. */
  | { is: "gathered" };

/** Thrown where JavaScript itself would fail, such as at a name that does not exist: n8n gives nothing then. */
export class AlwaysFails extends Error {}

/** Thrown where JavaScript has no counterpart in the expression language; the message says what it was. */
export class NoExpression extends Error {}

export const piece = (kind: Piece["kind"], code: string, more: Partial<Piece> = {}): Piece => ({ kind, code, ...more });

export const special = (value: Special): Piece => ({ kind: "special", code: "", special: value });

const reserved = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

/** Whether a key can stand after a dot. */
export function isName(key: string): boolean {
  return /^[A-Za-z_]\w*$/.test(key) && !reserved.has(key);
}

/** A text as a CEL literal. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (one) => (one === "\u2028" ? "\\u2028" : "\\u2029"));
}

/** A number as a CEL literal that is a double. */
export function double(value: number): string {
  if (!Number.isFinite(value)) return `number(${quoted(String(value))})`;
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** The piece as a value: a missing one becomes null, an item n8n's `{ json }`. */
export function asValue(one: Piece): string {
  if (one.kind === "opt") return `${one.code}.orValue(null)`;
  if (one.kind !== "special") return one.code;
  const { special: is } = one;
  if (is?.is === "item" || is?.is === "node") return `{"json": ${is.code}}`;
  if (is?.is === "all") return `${is.code}.map(i, {"json": i})`;
  throw new NoExpression("a name that stands for no value");
}

/** The piece as an argument of a function, which takes missing values as they are. */
export function asArgument(one: Piece): string {
  return one.kind === "opt" ? one.code : asValue(one);
}

/** The piece as a part of a text: a date is written in its own time zone. */
export function asWritten(one: Piece): string {
  return one.kind === "date" && one.zone !== undefined ? `iso(${one.code}, ${one.zone})` : asArgument(one);
}

export function asText(one: Piece): string {
  return one.kind === "string" ? one.code : `concat(${asWritten(one)})`;
}

export function asNumber(one: Piece): string {
  if (one.kind === "int" && typeof one.literal === "number") return double(one.literal);
  return one.kind === "number" ? one.code : `number(${asArgument(one)})`;
}

export function asTruth(one: Piece): string {
  if (one.kind === "bool") return one.code;
  if (one.kind === "special") return "true";
  return `truthy(${asArgument(one)})`;
}

/** The piece where it must be there, as JavaScript demands of what stands before a dot. */
export function asBase(one: Piece): string {
  return one.strict ?? asValue(one);
}

/** Two ways as one value: CEL wants equal types where it knows them. */
export function either(test: string, yes: Piece, no: Piece): Piece {
  const same = yes.kind === no.kind && yes.kind !== "opt" && yes.kind !== "special";
  const free = (one: Piece) =>
    one.kind === "dyn" || one.kind === "opt"
      ? asValue(one)
      : `dyn(${one.kind === "date" ? asWritten(one) : asValue(one)})`;
  if (same) return piece(yes.kind, `(${test} ? ${yes.code} : ${no.code})`, yes.zone ? { zone: yes.zone } : {});
  return piece("dyn", `(${test} ? ${free(yes)} : ${free(no)})`);
}

/** What a loop or a method goes through. */
export function listBase(object: Piece): string {
  return object.special?.is === "all" ? object.special.code : asBase(object);
}
