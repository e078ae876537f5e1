import type { Json } from "../../../src/engine/json.ts";
import type { Condition, Where } from "../../../src/nodes/tools/postgres/condition.ts";
import type { SqlRequest } from "../../../src/nodes/tools/postgres/sql-request.ts";

/** A value of a request, and what it is given for: a column by its name, or the number of a parameter. */
export type OwnValue = { value: Json } & ({ column: string } | { parameter: number });

/** Single values of a request, those of lists one by one. What names them tells their sender nothing new. */
export function ownValues(request: SqlRequest): OwnValue[] {
  switch (request.operation) {
    case "select":
      return request.where === undefined ? [] : ofWhere(request.where);
    case "insert":
      return request.rows.flatMap(ofRow);
    case "update":
      return [...ofRow(request.values), ...ofWhere(request.where)];
    case "delete":
      return ofWhere(request.where);
    case "execute":
      return ofParameters(request.parameters);
    case "describe":
    case "test":
      return [];
    default:
      return request satisfies never;
  }
}

/** Columns that a request names outside of SQL. */
export function ownColumns(request: SqlRequest): string[] {
  const named = ownValues(request).flatMap((own) => ("column" in own ? [own.column] : []));
  const listed = request.operation === "select" ? request.columns : [];
  const sorted = request.operation === "select" ? request.orderBy.map(({ column }) => column) : [];
  const returned = "returning" in request ? (request.returning ?? []) : [];
  return [...new Set([...named, ...listed, ...sorted, ...returned])];
}

function ofRow(row: Readonly<Record<string, Json>>): OwnValue[] {
  return Object.entries(row).flatMap(([column, value]) => single(value).map((one) => ({ column, value: one })));
}

function ofWhere(where: Where): OwnValue[] {
  if ("sql" in where) return ofParameters(where.parameters);
  return (Array.isArray(where) ? where : [where]).flatMap(ofCondition);
}

function ofCondition(condition: Condition): OwnValue[] {
  if ("all" in condition) return condition.all.flatMap(ofCondition);
  if ("any" in condition) return condition.any.flatMap(ofCondition);
  const { column, value } = condition;
  // Without a value there is still the column.
  return value === undefined ? [{ column, value: null }] : single(value).map((one) => ({ column, value: one }));
}

function ofParameters(parameters: readonly Json[]): OwnValue[] {
  return parameters.flatMap((value, index) => single(value).map((one) => ({ parameter: index + 1, value: one })));
}

const single = (value: Json): Json[] => (Array.isArray(value) && value.length > 0 ? value.flatMap(single) : [value]);
