import type { StatementShape } from "../../../src/nodes/tools/postgres/sql-result.ts";
import { compileLogic } from "./compile-logic.ts";
import { operatorOf, typeName } from "./compile-scalar.ts";
import { requireRestriction } from "./compile-where.ts";
import { parseSql } from "./parse-sql.ts";
import { predicateSql, type Predicate } from "./predicate.ts";
import { Rejection } from "./rejection.ts";
import { statementFunctions, valueFunctions } from "./safe-names.ts";
import { sqlShape } from "./sql-text.ts";
import { grammar, type Shape } from "./statement-grammar.ts";
import {
  type Fields,
  isSyntaxNode,
  listOf,
  MAX_TREE_DEPTH,
  namesOf,
  notAllowed,
  onlyFields,
  openNode,
  stringOf,
} from "./syntax-node.ts";
import { showTable, tableReference, type TableName } from "./table-name.ts";

export type CheckedStatement = {
  kind: StatementShape["kind"];
  /** Every table that it reads or writes. */
  tables: readonly TableName[];
  /** The table that it writes, or the first that it reads. */
  table: TableName | undefined;
  shape: StatementShape;
  /** Names after a dot, which are columns or, where there is no such column, functions. */
  fields: readonly string[];
};

type Visit = {
  tables: TableName[];
  /** Names that WITH gives at this place; they stand before tables. */
  named: ReadonlySet<string>;
  highestParameter: number;
  fields: Set<string>;
};

const WRITES: Readonly<Record<string, StatementShape["kind"]>> = {
  InsertStmt: "insert",
  UpdateStmt: "update",
  DeleteStmt: "delete",
};

/**
 * Checks a whole statement by an allow-list on the parser's tree: one SELECT, or, where writing is allowed, one INSERT,
 * UPDATE or DELETE; no writing inside WITH, no catalogs, no locks, no functions, operators or types but those that are
 * listed. Throws a Rejection. The text itself is then sent as it is.
 */
export async function checkStatement(
  sql: string,
  options: { readOnly: boolean; parameters: number },
): Promise<CheckedStatement> {
  const [statement, ...more] = await parseSql(sql);
  if (statement === undefined) throw new Rejection("There is no statement.", "Write one statement.", "syntax_error");
  if (more.length > 0)
    throw new Rejection("Only one statement is allowed.", "Send each statement in a call of its own.");
  const { kind: node, fields } = openNode(statement);
  const write = WRITES[node];
  if (node !== "SelectStmt" && write === undefined) {
    throw new Rejection(
      "This kind of statement is not allowed.",
      "Use SELECT, or INSERT, UPDATE or DELETE where the tool may write.",
    );
  }
  if (write !== undefined && options.readOnly) {
    throw new Rejection(
      "The tool may only read, and this statement writes.",
      'Use SELECT, or turn "read only" off in the tool.',
    );
  }
  const visit: Visit = { tables: [], named: new Set(), highestParameter: 0, fields: new Set() };
  visitFields(node, fields, visit, 0);
  if (visit.highestParameter !== options.parameters) {
    throw new Rejection(
      `The statement uses parameters up to $${visit.highestParameter}, and ${options.parameters} were given.`,
      "Give one value for each of $1, $2, and so on.",
      "syntax_error",
    );
  }
  return describe(write ?? "select", fields, visit);
}

function describe(kind: StatementShape["kind"], fields: Fields, visit: Visit): CheckedStatement {
  const table = kind === "select" ? visit.tables[0] : targetOf(fields);
  const condition = kind === "update" || kind === "delete" ? restriction(fields) : null;
  const names = kind === "insert" ? fields["cols"] : kind === "update" ? fields["targetList"] : [];
  const columns = listOf(names).map((target) => {
    const { fields: named } = openNode(target);
    return typeof named["name"] === "string" ? named["name"] : "";
  });
  return {
    kind,
    tables: visit.tables,
    fields: [...visit.fields],
    table,
    shape: { kind, table: table ? showTable(table) : "", columns, condition },
  };
}

function targetOf(fields: Fields): TableName {
  const relation = isSyntaxNode(fields["relation"]) ? fields["relation"] : {};
  return readTable(relation);
}

/** The shape of the condition, which must be there and restrict something. */
function restriction(fields: Fields): string {
  const where = fields["whereClause"];
  if (where === undefined) requireRestriction({ kind: "and", parts: [] });
  const predicate = analysed(where, onlyTable(fields));
  if (predicate === undefined) {
    if (!holdsColumn(where)) requireRestriction({ kind: "and", parts: [] });
    return "a condition with a subquery";
  }
  requireRestriction(predicate);
  return sqlShape(predicateSql(predicate));
}

/** The name that every column belongs to, where only one table takes part. */
function onlyTable(fields: Fields): string | null {
  if (fields["fromClause"] !== undefined || fields["usingClause"] !== undefined) return null;
  const relation = isSyntaxNode(fields["relation"]) ? fields["relation"] : {};
  const alias = isSyntaxNode(relation["alias"]) ? relation["alias"]["aliasname"] : undefined;
  return String(alias ?? relation["relname"]);
}

/** The condition as a predicate; undefined where it holds what a simple condition does not. */
function analysed(where: unknown, table: string | null): Predicate | undefined {
  try {
    const parameters = Array.from({ length: 1_000 }, () => "");
    return compileLogic(where, { table, parameters, depth: 0, logic: compileLogic });
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}

function holdsColumn(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsColumn);
  return isSyntaxNode(value) && ("ColumnRef" in value || Object.values(value).some(holdsColumn));
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
  if (depth > MAX_TREE_DEPTH) throw new Rejection("The statement is nested too deeply.", "Write it with fewer levels.");
  const shape = grammar[kind];
  if (shape === undefined) throw notAllowed("This kind of expression");
  onlyFields("A clause of the statement", fields, Object.keys(shape));
  checkNames(kind, fields, outer);
  const visit = "withClause" in shape ? enterWith(fields["withClause"], outer, depth) : outer;
  visitShape(shape, fields, visit, depth);
  if (visit !== outer) outer.highestParameter = Math.max(outer.highestParameter, visit.highestParameter);
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
    const { kind: query } = openNode(fields["ctequery"]);
    if (query !== "SelectStmt")
      throw new Rejection("WITH may only hold queries that read.", "Write the change as the statement itself.");
    visitNode(fields["ctequery"], visit, depth + 1);
    named.add(String(fields["ctename"]));
  }
  return visit;
}

function checkNames(kind: string, fields: Fields, visit: Visit): void {
  switch (kind) {
    case "RangeVar": {
      const table = readTable(fields);
      const isNamed = fields["schemaname"] === undefined && visit.named.has(table.name);
      if (!isNamed) visit.tables.push(table);
      return;
    }
    case "FuncCall": {
      const names = namesOf(fields["funcname"]) ?? [];
      const name =
        names.length === 2 && names[0] === "pg_catalog" ? names[1] : names.length === 1 ? names[0] : undefined;
      if (name !== undefined && statementFunctions.has(name)) return;
      throw new Rejection(
        "A function is not allowed here.",
        "Use plain functions of text, numbers, dates and JSON, and the usual aggregates.",
      );
    }
    case "ColumnRef":
      addFields(listOf(fields["fields"]).slice(1), visit);
      return;
    case "A_Indirection":
      addFields(listOf(fields["indirection"]), visit);
      return;
    case "A_Expr":
      if (
        !String(fields["kind"]).startsWith("AEXPR_BETWEEN") &&
        !String(fields["kind"]).startsWith("AEXPR_NOT_BETWEEN")
      ) {
        operatorOf(fields);
      }
      return;
    case "SubLink":
      if (fields["operName"] !== undefined) operatorOf({ name: fields["operName"] });
      return;
    case "TypeCast":
      typeName(fields["typeName"], { sized: true });
      return;
    case "SQLValueFunction":
      if (valueFunctions[String(fields["op"])] === undefined) throw notAllowed("This word");
      return;
    case "ParamRef":
      visit.highestParameter = Math.max(visit.highestParameter, Number(fields["number"] ?? 0));
      return;
  }
}

function addFields(nodes: readonly unknown[], visit: Visit): void {
  for (const node of nodes) {
    const name = stringOf(node);
    if (name !== undefined) visit.fields.add(name);
  }
}

function readTable(fields: Fields): TableName {
  const { schemaname, relname } = fields;
  const schema = typeof schemaname === "string" ? schemaname : undefined;
  return tableReference(schema, typeof relname === "string" ? relname : "");
}
