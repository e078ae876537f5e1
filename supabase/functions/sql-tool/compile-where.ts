import type { SqlFragment, Where } from "../../../src/nodes/tools/postgres/condition.ts";
import { compileCondition } from "./compile-condition.ts";
import { compileLogic } from "./compile-logic.ts";
import { parseSql } from "./parse-sql.ts";
import { isAlwaysTrue, type Predicate } from "./predicate.ts";
import { Rejection } from "./rejection.ts";
import { notAllowed, onlyFields, openNode } from "./syntax-node.ts";

const before = "SELECT WHERE (";

/** A condition of either form, checked and ready to be put behind WHERE. `table` is the name that a column may carry. */
export async function compileWhere(where: Where, table: string): Promise<Predicate> {
  return "sql" in where ? compileFragment(where, table) : compileCondition(where);
}

/** Refuses a condition that restricts nothing, for statements that change what it finds. */
export function requireRestriction(predicate: Predicate): void {
  if (!isAlwaysTrue(predicate)) return;
  throw new Rejection(
    "The condition is empty or holds for every row.",
    "Say which rows are meant, by a comparison of a column with a value.",
  );
}

/** A line break ends a comment that would hide the bracket; text that closes the bracket itself makes another tree. */
async function compileFragment({ sql, parameters }: SqlFragment, table: string): Promise<Predicate> {
  if (sql.trim() === "") return { kind: "and", parts: [] };
  const [statement, ...more] = await parseSql(`${before}${sql}\n)`, before.length);
  if (statement === undefined || more.length > 0) throw notAllowed("More than one statement");
  const { kind, fields } = openNode(statement.tree);
  if (kind !== "SelectStmt") throw notAllowed("A statement");
  onlyFields("A clause besides the condition", fields, ["whereClause", "limitOption", "op"]);
  if (fields["op"] !== "SETOP_NONE") throw notAllowed("A second query");
  return compileLogic(fields["whereClause"], { table, parameters, depth: 0, logic: compileLogic });
}
