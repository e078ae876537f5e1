import { editDistance } from "../../../src/engine/edit-distance.ts";
import type { Json } from "../../../src/engine/json.ts";
import type { PostgresConnection } from "./open-postgres.ts";
import type { SqlProblem } from "./rejection.ts";
import { sqlStateOf } from "./sql-problem.ts";
import type { Sql } from "./sql-text.ts";
import { isAmong, showTable, type TableName, UnlistedTable } from "./table-name.ts";

const maxNames = 60;

/** Where a failure is looked into: as the role of the request, in a transaction of its own that only reads. */
export interface HintSource {
  connection: PostgresConnection;
  /** Tables that the statement names. */
  tables: readonly TableName[];
  /** Tables that the credential's owner allows; empty for all. */
  listed: readonly TableName[];
  /** Whether its owner lets tools tell what the schema holds. */
  schemaHints: boolean;
}

/**
 * Adds to a problem what lets the model recover: the nearest column or table among those that the role may select anyway.
 * Where the owner has turned schema hints on, also the columns that exist and the constraint with its columns. Looks in the
 * catalog with the role's own rights.
 */
export async function withHints(problem: SqlProblem, error: unknown, source: HintSource): Promise<SqlProblem> {
  const suggest = (words: string | undefined): SqlProblem =>
    words === undefined ? problem : { ...problem, suggestion: words };
  if (error instanceof UnlistedTable) {
    return source.schemaHints ? problem : suggest(await tableHint({ ...source, tables: [error.table] }));
  }
  switch (problem.sqlState) {
    case "42703":
      return suggest(await columnHint(source, missingName(error)));
    case "42702":
      return suggest(await columnHint(source, undefined));
    case "42P01":
      return suggest(await tableHint(source));
    default: {
      const isConstraint = source.schemaHints && sqlStateOf(error)?.startsWith("23") === true;
      return isConstraint ? await constraintHint(problem, error, source.connection) : problem;
    }
  }
}

async function columnHint(
  { connection, tables, schemaHints }: HintSource,
  missing: string | undefined,
): Promise<string | undefined> {
  const known: { table: TableName; columns: string[] }[] = [];
  for (const table of tables.slice(0, 5)) {
    const columns = await columnNames(connection, table);
    if (columns.length > 0) known.push({ table, columns });
  }
  const columns = [...new Set(known.flatMap((one) => one.columns))];
  const [near] = missing === undefined ? [] : nearest(missing, columns, (name) => name);
  const parts = near === undefined ? [] : [`Did you mean ${near}?`];
  if (schemaHints) {
    for (const one of known) {
      parts.push(`${showTable(one.table)} has the columns ${one.columns.slice(0, maxNames).join(", ")}.`);
    }
  }
  return parts.length === 0 ? undefined : parts.join(" ");
}

/**
 * The column that the database did not find, from its message, which names it in quotes or after its table and a dot, in
 * whichever language it speaks.
 */
function missingName(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : "";
  const quoted = /["«„“]\s?([^"»“”]{1,63}?)\s?["»“”]/u.exec(message)?.[1];
  return quoted ?? /\S\.([\p{L}_][\p{L}\p{N}_$]{0,62})(?=\s|$)/u.exec(message)?.[1];
}

async function tableHint({ connection, tables, listed, schemaHints }: HintSource): Promise<string | undefined> {
  const selectable = await tableNames(connection);
  const existing = listed.length === 0 ? selectable : selectable.filter((table) => isAmong(table, listed));
  const missing = tables.filter((table) => !isAmong(table, existing));
  const near = (missing.length > 0 ? missing : tables).flatMap((table) =>
    nearest(table.name, existing, ({ name }) => name).slice(0, schemaHints ? 3 : 1),
  );
  const names = [...new Set(near.map(showTable))];
  if (names.length > 0) return `Did you mean ${names.join(" or ")}?`;
  if (!schemaHints || existing.length === 0) return undefined;
  return `There are the tables ${existing.slice(0, maxNames).map(showTable).join(", ")}.`;
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
    " and a.attnum > 0 and not a.attisdropped and pg_catalog.has_schema_privilege(n.oid, 'usage') ",
    "and pg_catalog.has_column_privilege(t.oid, a.attnum, 'select') order by a.attnum",
  ];
  const { rows } = await connection.query(sql, { limit: 1_000 });
  return rows.rows.map((row) => textOf(row["name"]));
}

async function tableNames(connection: PostgresConnection): Promise<TableName[]> {
  const sql: Sql = [
    "select n.nspname as schema, t.relname as name from pg_catalog.pg_class t ",
    "join pg_catalog.pg_namespace n on n.oid = t.relnamespace where t.relkind in ('r', 'v', 'm', 'p', 'f') ",
    "and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' ",
    "and pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_any_column_privilege(t.oid, 'select') order by 1, 2",
  ];
  const { rows } = await connection.query(sql, { limit: 1_000 });
  return rows.rows.map((row) => ({ schema: textOf(row["schema"]), name: textOf(row["name"]) }));
}

/** What is called almost as written, the nearest first; an exact name would not be missing. */
function nearest<Thing>(wanted: string, existing: readonly Thing[], nameOf: (thing: Thing) => string): Thing[] {
  const key = wanted.toLowerCase();
  const furthest = key.length < 4 ? 1 : Math.max(2, Math.floor(key.length / 3));
  return existing
    .map((thing) => ({ thing, distance: editDistance(key, nameOf(thing).toLowerCase()) }))
    .filter(({ distance }) => distance <= furthest)
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ thing }) => thing);
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
