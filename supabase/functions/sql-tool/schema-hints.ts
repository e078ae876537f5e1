import type { Json } from "../../../src/engine/json.ts";
import type { PostgresConnection } from "./open-postgres.ts";
import type { SqlProblem } from "./rejection.ts";
import { sqlStateOf } from "./sql-problem.ts";
import type { Sql } from "./sql-text.ts";
import { showTable, type TableName } from "./table-name.ts";

const MAX_NAMES = 60;

/**
 * Adds to a problem what lets the model recover: the columns that exist, the nearest table, the constraint and its columns.
 * Only for credentials whose owner has turned schema hints on. Looks in the catalog with the credential's own rights.
 */
export async function withHints(
  problem: SqlProblem,
  error: unknown,
  connection: PostgresConnection,
  tables: readonly TableName[],
  listed: readonly TableName[],
): Promise<SqlProblem> {
  switch (problem.sqlState) {
    case "42703":
    case "42702":
      return { ...problem, suggestion: await columnHint(connection, tables, problem.suggestion) };
    case "42P01":
      return { ...problem, suggestion: await tableHint(connection, tables, listed, problem.suggestion) };
    default:
      return sqlStateOf(error)?.startsWith("23") === true ? await constraintHint(problem, error, connection) : problem;
  }
}

async function columnHint(
  connection: PostgresConnection,
  tables: readonly TableName[],
  fallback: string,
): Promise<string> {
  const parts: string[] = [];
  for (const table of tables.slice(0, 5)) {
    const names = await columnNames(connection, table);
    if (names.length > 0) parts.push(`${showTable(table)} has the columns ${names.slice(0, MAX_NAMES).join(", ")}.`);
  }
  return parts.length === 0 ? fallback : parts.join(" ");
}

async function tableHint(
  connection: PostgresConnection,
  wanted: readonly TableName[],
  listed: readonly TableName[],
  fallback: string,
): Promise<string> {
  const existing = listed.length > 0 ? listed : await tableNames(connection);
  if (existing.length === 0) return fallback;
  const missing = wanted.filter(
    (table) => !existing.some(({ schema, name }) => schema === table.schema && name === table.name),
  );
  const near = (missing.length > 0 ? missing : wanted).flatMap((table) => nearest(table, existing));
  const names = [...new Set(near.map(showTable))];
  if (names.length > 0) return `Did you mean ${names.join(" or ")}?`;
  return `There are the tables ${existing.slice(0, MAX_NAMES).map(showTable).join(", ")}.`;
}

async function constraintHint(
  problem: SqlProblem,
  error: unknown,
  connection: PostgresConnection,
): Promise<SqlProblem> {
  const name = detailOf(error, "constraint_name");
  if (name === undefined) {
    const column = detailOf(error, "column_name");
    return column === undefined ? problem : { ...problem, suggestion: `Give the column ${column} a value.` };
  }
  const { rows } = await connection.query(
    [
      "select pg_catalog.string_agg(a.attname, ', ' order by a.attnum) as columns from pg_catalog.pg_constraint c ",
      "join pg_catalog.pg_class t on t.oid = c.conrelid join pg_catalog.pg_namespace n on n.oid = t.relnamespace ",
      "join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = any(c.conkey) where c.conname = ",
      { bind: name },
      " and n.nspname = ",
      { bind: detailOf(error, "schema_name") ?? "" },
      " and t.relname = ",
      { bind: detailOf(error, "table_name") ?? "" },
    ],
    { limit: 1 },
  );
  const columns = rows.rows[0]?.["columns"];
  const where = typeof columns === "string" ? ` on ${columns}` : "";
  return { ...problem, error: `${problem.error} The constraint is ${name}${where}.` };
}

/** The columns of a table that the role may see, in the table's order. */
async function columnNames(connection: PostgresConnection, { schema, name }: TableName): Promise<string[]> {
  const sql: Sql = [
    "select a.attname as name from pg_catalog.pg_attribute a join pg_catalog.pg_class t on t.oid = a.attrelid ",
    "join pg_catalog.pg_namespace n on n.oid = t.relnamespace where n.nspname = ",
    { bind: schema },
    " and t.relname = ",
    { bind: name },
    " and a.attnum > 0 and not a.attisdropped and pg_catalog.has_column_privilege(t.oid, a.attnum, 'select') order by a.attnum",
  ];
  const { rows } = await connection.query(sql, { limit: 1_000 });
  return rows.rows.map((row) => textOf(row["name"]));
}

async function tableNames(connection: PostgresConnection): Promise<TableName[]> {
  const sql: Sql = [
    "select n.nspname as schema, t.relname as name from pg_catalog.pg_class t ",
    "join pg_catalog.pg_namespace n on n.oid = t.relnamespace where t.relkind in ('r', 'v', 'm', 'p', 'f') ",
    "and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' ",
    "and pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_table_privilege(t.oid, 'select') order by 1, 2",
  ];
  const { rows } = await connection.query(sql, { limit: 1_000 });
  return rows.rows.map((row) => ({ schema: textOf(row["schema"]), name: textOf(row["name"]) }));
}

/** Names that a slip of the pen away, or that hold the one that was written. */
function nearest(wanted: TableName, existing: readonly TableName[]): TableName[] {
  const key = wanted.name.toLowerCase();
  return existing
    .map((table) => ({ table, distance: distanceOf(key, table.name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, Math.floor(key.length / 3)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ table }) => table);
}

/** Levenshtein's distance of two short texts. */
function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

function detailOf(
  error: unknown,
  name: "constraint_name" | "column_name" | "schema_name" | "table_name",
): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
