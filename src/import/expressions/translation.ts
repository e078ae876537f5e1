import type { AnyNode, Pattern } from "acorn";
import type { Names } from "./members.ts";
import type { Piece } from "./piece.ts";

/** What an expression is translated with. */
export interface TranslateOptions {
  names: Names;
  /** The time zone that dates count in, as in the workflow's settings. */
  zone?: string | undefined;
}

/** What the names of JavaScript variables stand for. */
export type Locals = ReadonlyMap<string, Piece>;

/** A translation in the making, for what translates parts of it. */
export interface Translation {
  readonly options: TranslateOptions;
  /** How many `Math.max(...)` stand around, which make numbers of what they are given. */
  readonly inMath: number;
  expression(node: AnyNode, locals: Locals): Piece;
  object(node: Extract<AnyNode, { type: "ObjectExpression" }>, locals: Locals): Piece;
  /** A name that no other variable of the expression has, like the pattern's own where it can be. */
  newName(pattern: Pattern | undefined): string;
}

/** What a kind of syntax is called. */
export function wordsOf(type: string): string {
  return type
    .replace(/(Expression|Statement|Declaration)$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}
