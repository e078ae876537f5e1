import type { StatementShape } from "../../../src/nodes/tools/postgres/sql-result.ts";
import { parseSql } from "./parse-sql.ts";
import { Rejection } from "./rejection.ts";
import { restriction } from "./restriction.ts";
import { singleWrite, type SingleWrite } from "./single-write.ts";
import { readOnlyRefusal, refuseClauses, refusedKind, writes } from "./statement-kinds.ts";
import { grammar, type Shape } from "./statement-grammar.ts";
import { NameCheck, type StatementNames } from "./statement-names.ts";
import { subqueryColumns, type SubqueryColumn } from "./subquery-columns.ts";
import {
  type Fields,
  isSyntaxNode,
  listOf,
  maxTreeDepth,
  notAllowed,
  onlyFields,
  openNode,
  type SyntaxNode,
} from "./syntax-node.ts";
import { readTable, showTable, targetOf, type TableName } from "./table-name.ts";

/** A statement that passed the check, and what it touches. */
export interface CheckedStatement {
  kind: StatementShape["kind"];
  /** Every table that it reads or writes. */
  tables: readonly TableName[];
  /** The tables that it writes. */
  changed: readonly TableName[];
  /** The table that it writes, or the first that it reads. */
  table: TableName | undefined;
  /** What it changes; of a statement that only reads, what it reads. */
  shape: StatementShape;
  names: StatementNames;
  /** Columns in subqueries of the conditions by which it changes rows. */
  subqueryColumns: readonly SubqueryColumn[];
  /** Whether WITH changes rows, of which the database counts none. */
  writesInWith: boolean;
  /** Where it changes one table and no other takes part in that. */
  single: SingleWrite | undefined;
}

interface Write {
  kind: string;
  fields: Fields;
}

interface Visit {
  tables: TableName[];
  /** Every part of the statement that changes rows, the statement itself first. */
  writes: Write[];
  /** Names that WITH gives at this place; they stand before tables. */
  named: ReadonlySet<string>;
  names: NameCheck;
  readOnly: boolean;
}

/**
 * Checks a whole statement by an allow-list on the parser's tree: one SELECT, or, where writing is allowed, one INSERT,
 * UPDATE, DELETE or MERGE, which may also stand in its first WITH; no catalogs, no locks, no functions, operators or types
 * but those that are listed; no change without a condition. Throws a Rejection. The text itself is then sent as it is.
 */
export async function checkStatement(
  sql: string,
  options: { readOnly: boolean; parameters: number },
): Promise<CheckedStatement> {
  const [statement, ...more] = await parseSql(sql);
  if (statement === undefined) throw new Rejection("There is no statement.", "Write one statement.", "syntax_error");
  if (more.length > 0)
    throw new Rejection("Only one statement is allowed.", "Send each statement in a call of its own.");
  const { kind: node, fields } = openNode(statement.tree);
  const write = writes[node];
  if (node !== "SelectStmt" && write === undefined) throw refusedKind(node);
  if (write !== undefined && options.readOnly) throw readOnlyRefusal();
  const names = new NameCheck();
  const visit: Visit = { tables: [], writes: [], named: new Set(), names, readOnly: options.readOnly };
  visitFields(node, fields, visit, 0);
  if (names.highestParameter !== options.parameters) {
    throw new Rejection(
      `The statement uses parameters up to $${names.highestParameter}, and ${options.parameters} were given.`,
      "Give one value for each of $1, $2, and so on.",
      "syntax_error",
    );
  }
  const [first, ...others] = visit.writes.map(shapeOf);
  const changed = visit.writes.map(({ fields: written }) => targetOf(written));
  const [table] = changed.length > 0 ? changed : visit.tables;
  const read: StatementShape = { kind: "select", table: table ? showTable(table) : "", columns: [], condition: null };
  return {
    kind: write ?? first?.kind ?? "select",
    tables: visit.tables,
    changed,
    table,
    shape: first === undefined ? read : { ...first, ...(others.length === 0 ? {} : { also: others }) },
    names: names.names,
    subqueryColumns: visit.writes.flatMap((written) => columnsOf(written, fields["withClause"])),
    writesInWith: visit.writes.length > (write === undefined ? 0 : 1),
    single: visit.writes.length === 1 && write !== undefined ? await singleWrite(statement, sql) : undefined,
  };
}

/** What WITH of the whole statement names is known in each of its parts. */
function columnsOf({ fields }: Write, withClause: unknown): SubqueryColumn[] {
  const clauses = listOf(fields["mergeWhenClauses"]).map((clause) => openNode(clause).fields["condition"]);
  const conditions = [fields["whereClause"], fields["joinCondition"], ...clauses];
  return subqueryColumns(conditions, withClause);
}

function shapeOf({ kind: node, fields }: Write): StatementShape {
  const kind = writes[node] ?? "select";
  const clauses = listOf(fields["mergeWhenClauses"]).map((clause) => openNode(clause).fields);
  const lists = [kind === "insert" ? fields["cols"] : fields["targetList"], ...clauses.map((one) => one["targetList"])];
  const columns = lists.flatMap(listOf).map((target) => {
    const { name } = openNode(target).fields;
    return typeof name === "string" ? name : "";
  });
  return {
    kind,
    table: showTable(targetOf(fields)),
    columns: [...new Set(columns)],
    condition: restriction(node, fields),
  };
}

function visitNode(node: unknown, visit: Visit, depth: number): void {
  if (Array.isArray(node)) {
    for (const item of node) visitNode(item, visit, depth);
    return;
  }
  // The parser leaves an empty place where a list has none, as in DISTINCT without columns.
  if (node === undefined || node === null || (isSyntaxNode(node) && Object.keys(node).length === 0)) return;
  const { kind, fields } = openNode(node);
  visitFields(kind, fields, visit, depth);
}

function visitFields(kind: string, fields: Fields, outer: Visit, depth: number): void {
  if (depth > maxTreeDepth) throw new Rejection("The statement is nested too deeply.", "Write it with fewer levels.");
  const shape = grammar[kind];
  if (shape === undefined) throw notAllowed("This kind of expression");
  refuseClauses(fields);
  onlyFields("A clause of the statement", fields, Object.keys(shape));
  checkNode(kind, fields, outer);
  const visit = "withClause" in shape ? enterWith(fields["withClause"], outer, depth) : outer;
  visitShape(shape, fields, visit, depth);
}

function visitShape(shape: Shape, fields: Fields, visit: Visit, depth: number): void {
  for (const [name, content] of Object.entries(shape)) {
    const value = fields[name];
    if (value === undefined || content === "plain" || name === "withClause") continue;
    if (content === "node") visitNode(value, visit, depth + 1);
    else if (isSyntaxNode(value)) visitFields(content, value, visit, depth + 1);
  }
}

/** Each query of WITH sees the names before it, and all of them where it is recursive; so does the statement itself. */
function enterWith(clause: unknown, outer: Visit, depth: number): Visit {
  if (!isSyntaxNode(clause)) return outer;
  onlyFields("This WITH", clause, ["ctes", "recursive"]);
  const named = new Set(outer.named);
  const visit: Visit = { ...outer, named };
  const queries = listOf(clause["ctes"]).map((cte) => openNode(cte));
  if (clause["recursive"] === true) for (const { fields } of queries) named.add(String(fields["ctename"]));
  for (const { kind, fields } of queries) {
    if (kind !== "CommonTableExpr") throw notAllowed("This WITH");
    onlyFields("This WITH", fields, ["ctename", "ctematerialized", "ctequery", "aliascolnames", "cterecursive"]);
    requireQuery(fields["ctequery"], visit, depth);
    visitNode(fields["ctequery"], visit, depth + 1);
    named.add(String(fields["ctename"]));
  }
  return visit;
}

/** Only the first WITH of a statement may change rows, as in Postgres itself. */
function requireQuery(query: SyntaxNode[string], { readOnly }: Visit, depth: number): void {
  const { kind } = openNode(query);
  if (kind === "SelectStmt") return;
  if (writes[kind] === undefined) throw refusedKind(kind);
  if (readOnly) throw readOnlyRefusal();
  if (depth > 0) {
    const suggestion =
      "Move the change to the WITH at the statement's beginning, or send it as a statement of its own.";
    throw new Rejection("A WITH inside the statement may only hold queries that read.", suggestion);
  }
}

function checkNode(kind: string, fields: Fields, visit: Visit): void {
  if (writes[kind] !== undefined) visit.writes.push({ kind, fields });
  if (kind === "ChangedTable" || kind === "RangeVar") {
    const table = readTable(fields);
    const isNamed = kind === "RangeVar" && fields["schemaname"] === undefined && visit.named.has(table.name);
    if (!isNamed) {
      visit.tables.push(table);
      visit.names.table(fields);
    }
  }
  visit.names.check(kind, fields);
}
