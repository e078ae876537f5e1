import { compileLogic } from "./compile-logic.ts";
import { requireRestriction } from "./compile-where.ts";
import { predicateSql, type Predicate } from "./predicate.ts";
import { Rejection } from "./rejection.ts";
import { sqlShape } from "./sql-text.ts";
import { type Fields, isSyntaxNode, listOf, openNode, stringOf, type SyntaxNode } from "./syntax-node.ts";

const nothing: Predicate = { kind: "and", parts: [] };

/**
 * The shape of the condition of a statement that changes rows, which must be there and restrict something; null for one
 * that needs none. `kind` is the parser's name of the statement.
 */
export function restriction(kind: string, fields: Fields): string | null {
  switch (kind) {
    case "UpdateStmt":
    case "DeleteStmt": {
      const where = fields["whereClause"];
      const predicate = where === undefined ? nothing : analysed(where, scopeOf(fields));
      requireRestriction(predicate);
      return sqlShape(predicateSql(predicate));
    }
    case "MergeStmt":
      return mergeRestriction(fields);
    default:
      return null;
  }
}

/**
 * MERGE changes rows of its table in more than one way. What it matches must be found by the join and the condition
 * together; rows without a match are found by their own condition alone, as there may be nothing to match.
 */
function mergeRestriction(fields: Fields): string {
  const scope: Scope = { table: null, target: tableWord(fields) };
  const join = analysed(fields["joinCondition"], scope);
  for (const item of listOf(fields["mergeWhenClauses"])) {
    const { fields: clause } = openNode(item);
    if (clause["commandType"] !== "CMD_UPDATE" && clause["commandType"] !== "CMD_DELETE") continue;
    const own = clause["condition"] === undefined ? nothing : analysed(clause["condition"], scope);
    const parts = clause["matchKind"] === "MERGE_WHEN_MATCHED" ? [join, own] : [own];
    requireRestriction({ kind: "and", parts });
  }
  return sqlShape(predicateSql(join));
}

interface Scope {
  /** The only name that a column may carry; null where several tables take part. */
  table: string | null;
  /** The name of the table whose rows change: what no column of it takes part in restricts nothing. */
  target: string;
}

function scopeOf(fields: Fields): Scope {
  const target = tableWord(fields);
  const isAlone = fields["fromClause"] === undefined && fields["usingClause"] === undefined;
  return { table: isAlone ? target : null, target };
}

/** The name under which the statement speaks of the table that it changes. */
export function tableWord(fields: Fields): string {
  const relation = isSyntaxNode(fields["relation"]) ? fields["relation"] : {};
  const alias = isSyntaxNode(relation["alias"]) ? relation["alias"]["aliasname"] : undefined;
  return String(alias ?? relation["relname"]);
}

/** A condition as a predicate. A part that holds what a simple condition does not, such as a subquery, is a leaf of its own. */
function analysed(node: unknown, scope: Scope): Predicate {
  try {
    const parameters = Array.from({ length: 1_000 }, () => "");
    return compileLogic(node, { ...scope, parameters, depth: 0, logic: compileLogic });
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return analysedByParts(node, scope);
  }
}

function analysedByParts(node: unknown, scope: Scope): Predicate {
  const { kind, fields } = openNode(node);
  if (kind === "BoolExpr") {
    const parts = listOf(fields["args"]).map((part) => analysed(part, scope));
    const [first] = parts;
    switch (fields["boolop"]) {
      case "AND_EXPR":
        return { kind: "and", parts };
      case "OR_EXPR":
        return { kind: "or", parts };
      case "NOT_EXPR":
        if (first !== undefined) return { kind: "not", part: first };
    }
  }
  const key = JSON.stringify(node, (name, value: unknown) => (name === "location" ? undefined : value));
  return {
    kind: "leaf",
    sql: ["(an expression)"],
    trivial: mayDependOn(scope.target, isSyntaxNode(node) ? linkOf(node, scope.target) : node) ? "depends" : "either",
    key,
  };
}

/**
 * What may link a condition to the table's rows. `id in (select t.id from other)`, where `t` is the changed table, compares each
 * row with itself: of such a subquery all but these two counts.
 */
function linkOf(node: SyntaxNode, target: string): unknown {
  const link = node["SubLink"];
  if (!isSyntaxNode(link) || !isSyntaxNode(link["subselect"])) return node;
  const { SelectStmt: select } = link["subselect"];
  const [given, ...more] = isSyntaxNode(select) ? listOf(select["targetList"]) : [];
  if (!isSyntaxNode(select) || given === undefined || more.length > 0) return node;
  const asked = columnNames(link["testexpr"]);
  const answered = columnNames(openNode(given).fields["val"]);
  const isSame = answered?.length === 2 && answered[0] === target && asked?.at(-1) === answered[1];
  const isOfTarget = asked?.length === 1 || (asked?.length === 2 && asked[0] === target);
  return isSame && isOfTarget ? { ...select, targetList: [] } : node;
}

function columnNames(node: unknown): (string | undefined)[] | undefined {
  const reference = isSyntaxNode(node) ? node["ColumnRef"] : undefined;
  return isSyntaxNode(reference) ? listOf(reference["fields"]).map(stringOf) : undefined;
}

/** Whether a column may be one of the table's: it carries the table's name or none. */
function mayDependOn(target: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => mayDependOn(target, item));
  if (!isSyntaxNode(value)) return false;
  const reference = value["ColumnRef"];
  if (isSyntaxNode(reference)) {
    const names = listOf(reference["fields"]).map(stringOf);
    return names.length < 2 || names.at(-2) === target;
  }
  return Object.values(value).some((inner) => mayDependOn(target, inner));
}
