import type { Predicate, Triviality } from "./predicate.ts";
import type { Sql } from "./sql-text.ts";

/** A value in a condition: its SQL, and whether any column takes part in it. */
export interface Scalar {
  sql: Sql;
  usesColumn: boolean;
}

/** Which operator says the contrary, for values that are not null. */
const opposites: Readonly<Record<string, string>> = {
  "=": "<>",
  "<>": "=",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
  like: "not like",
  "not like": "like",
  ilike: "not ilike",
  "not ilike": "ilike",
  in: "not in",
  "not in": "in",
  "is distinct from": "is not distinct from",
  "is not distinct from": "is distinct from",
  between: "not between",
  "not between": "between",
};

const holdsForItself: ReadonlySet<string> = new Set([
  "=",
  "<=",
  ">=",
  "is not distinct from",
  "like",
  "ilike",
  "~",
  "~*",
]);
const failsForItself: ReadonlySet<string> = new Set(["<>", "<", ">", "is distinct from", "not like", "not ilike"]);
const like: ReadonlySet<string> = new Set(["like", "ilike"]);

/** `left operator right`, or with `between` a first and a last value. Operands stand in parentheses, so none reaches out. */
export function compare(left: Scalar, operator: string, rights: readonly Scalar[], right: Sql): Predicate {
  const sql: Sql = [...left.sql, ` ${operator} `, ...right];
  const opposite = opposites[operator];
  return {
    kind: "leaf",
    sql,
    trivial: triviality(left, operator, rights),
    key: keyOf(left, operator, right),
    ...(opposite === undefined ? {} : { opposite: keyOf(left, opposite, right) }),
  };
}

/** `value is null`, or `is not null`. */
export function nullTest(value: Scalar, isNull: boolean): Predicate {
  const words = isNull ? "is null" : "is not null";
  return {
    kind: "leaf",
    sql: [...value.sql, ` ${words}`],
    trivial: value.usesColumn ? "depends" : "either",
    key: keyOf(value, words, []),
    opposite: keyOf(value, isNull ? "is not null" : "is null", []),
  };
}

function triviality(left: Scalar, operator: string, rights: readonly Scalar[]): Triviality {
  if (!left.usesColumn && rights.every(({ usesColumn }) => !usesColumn)) return "either";
  const own = JSON.stringify(left.sql);
  const same = (right: Scalar): boolean => JSON.stringify(right.sql) === own;
  if (operator === "in" && rights.some(same)) return "always";
  if (operator === "not in" && rights.some(same)) return "never";
  if (operator === "between" && rights.every(same)) return "always";
  const [right] = rights;
  if (right === undefined) return "depends";
  if (same(right)) {
    if (holdsForItself.has(operator)) return "always";
    if (failsForItself.has(operator)) return "never";
  }
  if (like.has(operator) && isPattern(right, /^%+$/)) return "always";
  if ((operator === "~" || operator === "~*") && isPattern(right, /^\^?(\.\*)?\$?$/)) return "always";
  return "depends";
}

function isPattern(scalar: Scalar, pattern: RegExp): boolean {
  const [piece, ...more] = scalar.sql;
  return more.length === 0 && typeof piece === "object" && typeof piece.bind === "string" && pattern.test(piece.bind);
}

function keyOf(left: Scalar, operator: string, right: Sql): string {
  return JSON.stringify([left.sql, operator, right]);
}
