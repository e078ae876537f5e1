import type { Json } from "../../../src/engine/json.ts";
import type { Scalar } from "./compare.ts";
import { predicateSql, type Predicate } from "./predicate.ts";
import { Rejection } from "./rejection.ts";
import { operators, scalarFunctions, types, valueFunctions } from "./safe-names.ts";
import { joinSql, quoteIdentifier, type Bound, type Sql } from "./sql-text.ts";
import {
  type Fields,
  isSyntaxNode,
  listOf,
  maxTreeDepth,
  namesOf,
  notAllowed,
  onlyFields,
  openNode,
} from "./syntax-node.ts";

/** What a fragment may refer to: the columns of one table, and the parameters that came with it. */
export interface FragmentScope {
  /** The name that may stand before a column; null where any may, since the text itself is sent. */
  table: string | null;
  /** Where several tables take part, the one that matters: columns that carry another's name count as none. */
  target?: string;
  parameters: readonly Json[];
  depth: number;
  /** Reads what says true or false; `compileLogic`, which in turn reads its values with `compileScalar`. */
  logic(node: unknown, scope: FragmentScope): Predicate;
}

/**
 * Writes one value of a fragment anew from the parser's tree. What comes out holds only what this function writes: names in
 * quotes, functions of `pg_catalog` by their full name, operators from the list; every literal becomes a bound value.
 */
export function compileScalar(node: unknown, outer: FragmentScope): Scalar {
  const scope = { ...outer, depth: outer.depth + 1 };
  if (scope.depth > maxTreeDepth)
    throw new Rejection("The condition is nested too deeply.", "Write it with fewer levels.");
  const { kind, fields } = openNode(node);
  switch (kind) {
    case "ColumnRef":
      return column(fields, scope);
    case "A_Const":
      return constant(fields);
    case "ParamRef":
      return parameter(fields, scope);
    case "TypeCast":
      return cast(fields, scope);
    case "FuncCall":
      return call(fields, scope);
    case "CoalesceExpr":
      onlyFields("This use of COALESCE", fields, ["args"]);
      return combined("coalesce(", listOf(fields["args"]), ")", scope);
    case "MinMaxExpr": {
      onlyFields("This use of GREATEST or LEAST", fields, ["op", "args"]);
      const name = fields["op"] === "IS_LEAST" ? "least(" : "greatest(";
      return combined(name, listOf(fields["args"]), ")", scope);
    }
    case "A_ArrayExpr":
      onlyFields("This array", fields, ["elements", "list_start", "list_end"]);
      return combined("array[", listOf(fields["elements"]), "]", scope);
    case "RowExpr":
      onlyFields("This row", fields, ["args", "row_format"]);
      return combined("row(", listOf(fields["args"]), ")", scope);
    case "SQLValueFunction":
      return valueFunction(fields);
    case "CaseExpr":
      return caseOf(fields, scope);
    case "A_Expr":
      return operation(fields, scope) ?? logic(node, scope);
    case "BoolExpr":
    case "NullTest":
    case "BooleanTest":
      return logic(node, scope);
    case "SubLink":
      throw notAllowed("A subquery");
    case "CollateClause":
      throw notAllowed("COLLATE");
    default:
      throw notAllowed("This kind of expression");
  }
}

function column(fields: Fields, { table, target }: FragmentScope): Scalar {
  onlyFields("This name", fields, ["fields"]);
  const names = namesOf(fields["fields"]);
  const [first, second, ...more] = names ?? [];
  if (first === undefined || more.length > 0) throw notAllowed("A star, or a name of more than two parts,");
  if (second !== undefined && table !== null && first !== table) {
    throw new Rejection("The condition names another table.", "Use columns of the tool's own table only.");
  }
  const name = quoteIdentifier(second ?? first);
  const isElsewhere = second !== undefined && table === null;
  const usesColumn = !isElsewhere || target === undefined || first === target;
  return { sql: [isElsewhere ? `${quoteIdentifier(first)}.${name}` : name], usesColumn };
}

function constant(fields: Fields): Scalar {
  if (fields["isnull"] === true) return { sql: ["null"], usesColumn: false };
  if ("boolval" in fields)
    return { sql: [inner(fields["boolval"], "boolval") === true ? "true" : "false"], usesColumn: false };
  return { sql: [literal(fields)], usesColumn: false };
}

/** A literal with the type that Postgres gives it; a text in quotes takes its type from where it stands. */
function literal(fields: Fields): Bound {
  if ("sval" in fields) return { bind: textOf(inner(fields["sval"], "sval")) };
  if ("ival" in fields) return { bind: Number(inner(fields["ival"], "ival") ?? 0), cast: "integer" };
  if ("fval" in fields) {
    const digits = textOf(inner(fields["fval"], "fval"));
    const isWhole = /^-?\d{1,19}$/.test(digits) && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);
    return { bind: digits, cast: isWhole ? "bigint" : "numeric" };
  }
  throw notAllowed("A literal of this kind");
}

function parameter(fields: Fields, { parameters }: FragmentScope): Scalar {
  const number = Number(fields["number"] ?? 0);
  const value = parameters[number - 1];
  if (value === undefined) {
    throw new Rejection(
      `There is no parameter $${number}.`,
      `Give a value for each of $1 to $${number}.`,
      "syntax_error",
    );
  }
  return { sql: [{ bind: value }], usesColumn: false };
}

function cast(fields: Fields, scope: FragmentScope): Scalar {
  onlyFields("This type", fields, ["arg", "typeName"]);
  const value = compileScalar(fields["arg"], scope);
  return { sql: ["(", ...untyped(value.sql), `)::${typeName(fields["typeName"])}`], usesColumn: value.usesColumn };
}

/** `5::text` must bind the text 5: with a type of its own the value would be turned twice. */
function untyped(sql: Sql): Sql {
  const [piece, ...more] = sql;
  return more.length === 0 && typeof piece === "object" ? [{ bind: piece.bind }] : sql;
}

/** A type by name; an array of it with one pair of brackets. A size is left out of what comes back, and so refused here. */
export function typeName(node: unknown, { sized = false }: { sized?: boolean } = {}): string {
  const fields = isSyntaxNode(node) ? node : {};
  onlyFields("A type with a size", fields, ["names", "typemod", "arrayBounds", ...(sized ? ["typmods"] : [])]);
  const names = namesOf(fields["names"]) ?? [];
  const [first, second] = names;
  const isBuiltIn = names.length === 2 && first === "pg_catalog";
  const name = (isBuiltIn ? second : names.length === 1 ? first : undefined)?.toLowerCase();
  if (name === undefined || !types.has(name)) throw notAllowed("This type");
  return listOf(fields["arrayBounds"]).length > 0 ? `${name}[]` : name;
}

function call(fields: Fields, scope: FragmentScope): Scalar {
  onlyFields("This way to call a function", fields, ["funcname", "args", "funcformat"]);
  const names = namesOf(fields["funcname"]) ?? [];
  const name = names.length === 2 && names[0] === "pg_catalog" ? names[1] : names.length === 1 ? names[0] : undefined;
  if (name === undefined || !scalarFunctions.has(name)) {
    throw new Rejection(
      "A function is not allowed here.",
      "Use plain functions of text, numbers, dates and JSON, such as lower(name).",
    );
  }
  // Since version 14 `extract` gives numeric; before that the function had another name. Both mean the same here.
  return combined(`pg_catalog.${name === "extract" ? "date_part" : name}(`, listOf(fields["args"]), ")", scope);
}

function valueFunction(fields: Fields): Scalar {
  onlyFields("This word", fields, ["op", "typmod"]);
  const word = valueFunctions[String(fields["op"])];
  if (word === undefined) throw notAllowed("This word");
  return { sql: [word], usesColumn: false };
}

function caseOf(fields: Fields, scope: FragmentScope): Scalar {
  onlyFields("This use of CASE", fields, ["arg", "args", "defresult"]);
  const parts: Scalar[] = [];
  const sql: (string | Bound)[] = ["(case"];
  const add = (word: string, node: unknown): void => {
    const part = compileScalar(node, scope);
    parts.push(part);
    sql.push(word, ...part.sql);
  };
  if (fields["arg"] !== undefined) add(" ", fields["arg"]);
  for (const item of listOf(fields["args"])) {
    const { kind, fields: when } = openNode(item);
    if (kind !== "CaseWhen") throw notAllowed("This use of CASE");
    add(" when ", when["expr"]);
    add(" then ", when["result"]);
  }
  if (fields["defresult"] !== undefined) add(" else ", fields["defresult"]);
  return { sql: [...sql, " end)"], usesColumn: parts.some(({ usesColumn }) => usesColumn) };
}

/** Arithmetic and the like; undefined for what says true or false, which `scope.logic` reads. */
function operation(fields: Fields, scope: FragmentScope): Scalar | undefined {
  if (fields["kind"] === "AEXPR_NULLIF") {
    return combined("nullif(", [fields["lexpr"], fields["rexpr"]], ")", scope);
  }
  if (fields["kind"] !== "AEXPR_OP") return undefined;
  const operator = operatorOf(fields);
  if (comparisons.has(operator)) return undefined;
  const right = compileScalar(fields["rexpr"], scope);
  if (fields["lexpr"] === undefined) return { sql: [`(${operator} `, ...right.sql, ")"], usesColumn: right.usesColumn };
  const left = compileScalar(fields["lexpr"], scope);
  return {
    sql: ["(", ...left.sql, ` ${operator} `, ...right.sql, ")"],
    usesColumn: left.usesColumn || right.usesColumn,
  };
}

/** Operators that give a condition, not a value. */
export const comparisons: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">=", "~", "~*", "!~", "!~*"]);

/** The operator of an expression, by its plain name. */
export function operatorOf(fields: Fields): string {
  const names = namesOf(fields["name"]) ?? [];
  const [name] = names;
  if (names.length !== 1 || name === undefined || !operators.has(name)) throw notAllowed("This operator");
  return name === "!=" ? "<>" : name;
}

function logic(node: unknown, scope: FragmentScope): Scalar {
  const predicate = scope.logic(node, scope);
  const sql: Sql = ["(", ...predicateSql(predicate), ")"];
  return { sql, usesColumn: sql.some((piece) => typeof piece === "string" && piece.includes('"')) };
}

function combined(before: string, nodes: readonly unknown[], after: string, scope: FragmentScope): Scalar {
  const parts = nodes.map((node) => compileScalar(node, scope));
  return {
    sql: [
      before,
      ...joinSql(
        parts.map(({ sql }) => sql),
        ", ",
      ),
      after,
    ],
    usesColumn: parts.some(({ usesColumn }) => usesColumn),
  };
}

function inner(value: unknown, name: string): unknown {
  return isSyntaxNode(value) ? value[name] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
