import { Buffer } from "node:buffer";
import type { Json } from "../../../src/engine/json.ts";
import { compileLogic } from "./compile-logic.ts";
import { parseSql, type ParsedStatement } from "./parse-sql.ts";
import { predicateSql } from "./predicate.ts";
import { Rejection } from "./rejection.ts";
import { tableWord } from "./restriction.ts";
import type { Sql } from "./sql-text.ts";
import { type Fields, isSyntaxNode, listOf, openNode } from "./syntax-node.ts";
import { targetOf, type TableName } from "./table-name.ts";

/** A change of one table in which no other takes part, so that its rows can be shown before and after. */
export interface SingleWrite {
  kind: "insert" | "update" | "delete";
  table: TableName;
  /** Whether tables that inherit from it are left out. */
  only: boolean;
  /** The statement, giving back every column of what it changed instead of what it gives back itself. */
  text: string;
  /** The rows that it finds, as a condition with the statement's values; undefined for an insert, or where it has a subquery. */
  found(parameters: readonly Json[]): Sql | undefined;
}

const kinds: Readonly<Record<string, SingleWrite["kind"]>> = {
  InsertStmt: "insert",
  UpdateStmt: "update",
  DeleteStmt: "delete",
};

/** A checked statement as such a change; undefined where it is none. `sql` is the whole text that it was parsed from. */
export async function singleWrite(statement: ParsedStatement, sql: string): Promise<SingleWrite | undefined> {
  const { kind: node, fields } = openNode(statement.tree);
  const kind = kinds[node];
  if (kind === undefined || ["withClause", "fromClause", "usingClause"].some((name) => name in fields))
    return undefined;
  const text = await givingBackRows(statement, fields, sql);
  if (text === undefined) return undefined;
  const { relation, whereClause: where } = fields;
  return {
    kind,
    table: targetOf(fields),
    only: isSyntaxNode(relation) && relation["inh"] !== true,
    text,
    found: (parameters) => (where === undefined ? undefined : compiled(where, tableWord(fields), parameters)),
  };
}

function compiled(where: unknown, table: string, parameters: readonly Json[]): Sql | undefined {
  try {
    return predicateSql(compileLogic(where, { table, parameters, depth: 0, logic: compileLogic }));
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}

/** The text with `returning *` at its end. It is parsed anew, so that it surely says the same but for that. */
async function givingBackRows(
  { tree, text }: ParsedStatement,
  fields: Fields,
  sql: string,
): Promise<string | undefined> {
  const [first] = listOf(fields["returningList"]);
  const start = first === undefined ? text : textBefore(first, sql).replace(/\breturning\s+$/i, "");
  const whole = `${start}\nreturning *`;
  try {
    const [parsed, ...more] = await parseSql(whole);
    return parsed !== undefined && more.length === 0 && meaning(parsed.tree) === meaning(tree) ? whole : undefined;
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}

/** Places in the tree count bytes. */
function textBefore(node: unknown, sql: string): string {
  const { location } = openNode(node).fields;
  return Buffer.from(sql, "utf8")
    .subarray(0, typeof location === "number" ? location : 0)
    .toString("utf8");
}

function meaning(tree: unknown): string {
  return JSON.stringify(tree, (name, value: unknown) =>
    name === "location" || name === "returningList" ? undefined : value,
  );
}
