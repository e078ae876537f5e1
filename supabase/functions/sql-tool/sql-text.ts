import type { Json } from "../../../src/engine/json.ts";
import { Rejection } from "./rejection.ts";

/** A value that travels beside the statement. `cast` names the type that a literal of its kind has. */
export interface Bound {
  bind: Json;
  cast?: "integer" | "bigint" | "numeric";
}

/** A statement in the making: text that only this function writes, and values that only the driver sees. */
export type Sql = readonly (string | Bound)[];

/** The longest name that Postgres keeps whole, in bytes. */
const maxNameBytes = 63;

/** A name in double quotes, so that it can be nothing but a name. Refuses what Postgres would cut or end. */
export function quoteIdentifier(name: string): string {
  if (name === "" || name.includes("\0") || new TextEncoder().encode(name).length > maxNameBytes) {
    throw new Rejection(
      "A name of a table, column or role is empty or too long.",
      `Use a name of at most ${maxNameBytes} bytes.`,
      "syntax_error",
    );
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** The parts with a separator between them. */
export function joinSql(parts: readonly Sql[], separator: string): Sql {
  return parts.flatMap((part, index) => (index === 0 ? part : [separator, ...part]));
}

/** The text with `$1`, `$2`, …, and the values in that order. */
export function renderSql(sql: Sql): { text: string; parameters: Json[] } {
  const parameters: Json[] = [];
  const text = sql.map((piece) => {
    if (typeof piece === "string") return piece;
    parameters.push(piece.bind);
    return piece.cast === undefined ? `$${parameters.length}` : `$${parameters.length}::${piece.cast}`;
  });
  return { text: text.join(""), parameters };
}

/** The text with `?` in the place of every value, for the log. */
export function sqlShape(sql: Sql): string {
  const text = sql.map((piece) => (typeof piece === "string" ? piece : "?")).join("");
  return text.replace(/\?(?:, \?)+/g, "?, …");
}
