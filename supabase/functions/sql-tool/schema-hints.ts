import { editDistance } from "../../../src/engine/edit-distance.ts";
import type { Json } from "../../../src/engine/json.ts";
import { longestShown } from "../../../src/nodes/tools/postgres/given-values.ts";
import type { SqlRequest } from "../../../src/nodes/tools/postgres/sql-request.ts";
import type { PostgresConnection } from "./open-postgres.ts";
import { ownColumns, ownValues } from "./own-values.ts";
import type { SqlProblem } from "./rejection.ts";
import { sqlStateOf } from "./sql-problem.ts";
import type { Sql } from "./sql-text.ts";
import { isAmong, showTable, type TableName, UnlistedTable } from "./table-name.ts";
import { findUnfitValue, type KnownColumn, textOf as valueText } from "./unfit-value.ts";

const maxNames = 60;

/** Where a failure is looked into: as the role of the request, in a transaction of its own that only reads. */
export interface HintSource {
  request: SqlRequest;
  connection: PostgresConnection;
  /** Tables that the statement names. */
  tables: readonly TableName[];
  /** Tables that the credential's owner allows; empty for all. */
  listed: readonly TableName[];
  /** Whether its owner lets tools tell what the schema holds. */
  schemaHints: boolean;
}

/**
 * Adds to a problem what lets the model recover. Of what the request names itself: which column is not there, and which value
 * does not fit. Of what the role may select anyway: the nearest column or table, or all of them where none is near, and the
 * columns that a rule is about. Where the owner has turned schema hints on, also constraints by name, and more names at once.
 * Looks in the catalog with the role's own rights.
 */
export async function withHints(problem: SqlProblem, error: unknown, source: HintSource): Promise<SqlProblem> {
  if (error instanceof UnlistedTable) {
    if (source.schemaHints) return problem;
    return suggesting(problem, await tableHint({ ...source, tables: [error.table] }));
  }
  const { sqlState } = problem;
  switch (sqlState) {
    case "42703": {
      const missing = missingName(error, source.request);
      const named = missing === undefined ? problem : adding(problem, `It is ${missing}.`);
      return suggesting(named, await columnHint(source, missing));
    }
    case "42702":
      return source.schemaHints ? suggesting(problem, await columnHint(source, undefined)) : problem;
    case "428C9": {
      const column = missingName(error, source.request);
      return column === undefined ? problem : adding(problem, `It is ${column}.`);
    }
    case "42P01":
      return suggesting(problem, await tableHint(source));
    default:
      if (sqlState?.startsWith("22") === true) return unfitHint(problem, error, source);
      return sqlStateOf(error)?.startsWith("23") === true ? constraintHint(problem, error, source) : problem;
  }
}

const adding = (problem: SqlProblem, words: string): SqlProblem => ({ ...problem, error: `${problem.error} ${words}` });

function suggesting(problem: SqlProblem, words: string | undefined): SqlProblem {
  return words === undefined ? problem : { ...problem, suggestion: words };
}

async function columnHint(source: HintSource, missing: string | undefined): Promise<string | undefined> {
  const known = await knownColumns(source);
  const columns = [...new Set(known.flatMap((one) => one.columns.map(({ name }) => name)))];
  const [near] = missing === undefined ? [] : nearest(missing, columns, (name) => name);
  const parts = near === undefined ? [] : [`Did you mean ${near}?`];
  if (near === undefined || source.schemaHints) {
    for (const one of known) {
      const names = one.columns.slice(0, maxNames).map(({ name }) => name);
      parts.push(`${showTable(one.table)} has the columns ${names.join(", ")}.`);
    }
  }
  return parts.length === 0 ? undefined : parts.join(" ");
}

/**
 * The column that the database's message is about, where the request names it too: an error of a trigger or a view may be
 * about another. Messages have it in quotes, or after its table and a dot, in whichever language the database speaks.
 */
function missingName(error: unknown, request: SqlRequest): string | undefined {
  const message = error instanceof Error ? error.message : "";
  const own = ownColumns(request).toSorted((a, b) => b.length - a.length);
  const written = own.find((name) => message.includes(`"${name}"`));
  if (written !== undefined) return written;
  const quoted = /["«„“]\s?([^"»“”]{1,63}?)\s?["»“”]/u.exec(message)?.[1];
  const found = quoted ?? /\S\.([\p{L}_][\p{L}\p{N}_$]{0,62})(?=\s|$)/u.exec(message)?.[1];
  return found !== undefined && JSON.stringify(request).includes(found) ? found : undefined;
}

/** Names the column of a value that does not fit, with the type that the role may see, and the value where its sender gave it. */
async function unfitHint(problem: SqlProblem, error: unknown, source: HintSource): Promise<SqlProblem> {
  const known = await knownColumns(source);
  const columns = known.flatMap((one) => one.columns);
  const message = error instanceof Error ? error.message : "";
  const unfit = findUnfitValue(message, problem.sqlState ?? "", ownValues(source.request), columns);
  if (unfit === undefined) return problem;
  const text = valueText(unfit.own);
  const { given } = source.request;
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  const type = unfit.type === undefined ? "" : ` (${unfit.type})`;
  const place = "column" in unfit.own ? `the column ${unfit.own.column}${type}` : `$${unfit.own.parameter}`;
  const isOwn = given === undefined || given.includes(text);
  return adding(problem, isOwn ? `It is "${shown}" for ${place}.` : `It is the value for ${place}.`);
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
  if (existing.length === 0) return undefined;
  return `There are the tables ${existing.slice(0, maxNames).map(showTable).join(", ")}.`;
}

/** Names the columns that a rule is about, where they are the request's own or may be selected. */
async function constraintHint(problem: SqlProblem, error: unknown, source: HintSource): Promise<SqlProblem> {
  const { connection, schemaHints, tables, request } = source;
  const table = { schema: detailOf(error, "schema_name") ?? "", name: detailOf(error, "table_name") ?? "" };
  // A rule of another table, such as one that a trigger writes to, is not what the request is about.
  if (!schemaHints && !isAmong(table, tables)) return problem;
  const own = ownColumns(request);
  const name = detailOf(error, "constraint_name");
  if (name === undefined) {
    const column = detailOf(error, "column_name");
    const readable = (await columnsOf(connection, table)).map((one) => one.name);
    const isNamed = column !== undefined && (schemaHints || own.includes(column) || readable.includes(column));
    return isNamed ? { ...problem, suggestion: `Give the column ${column} a value.` } : problem;
  }
  const columns = await ruledColumns(connection, table, name);
  const told = columns.filter((one) => schemaHints || own.includes(one.name) || one.readable).map((one) => one.name);
  const names = told.length === columns.length ? told.join(", ") : "";
  if (schemaHints) return adding(problem, `The constraint is ${name}${names === "" ? "" : ` on ${names}`}.`);
  if (names === "") return problem;
  return adding(problem, `The rule is about the column${told.length > 1 ? "s" : ""} ${names}.`);
}

/** The columns of a constraint or of a unique index, in the table's order. */
async function ruledColumns(connection: PostgresConnection, table: TableName, rule: string) {
  const { rows } = await connection.query(
    [
      "select a.attname as name, pg_catalog.has_column_privilege(t.oid, a.attnum, 'select') as readable ",
      "from pg_catalog.pg_class t join pg_catalog.pg_namespace n on n.oid = t.relnamespace ",
      "join pg_catalog.pg_attribute a on a.attrelid = t.oid where n.nspname = ",
      { bind: table.schema },
      " and t.relname = ",
      { bind: table.name },
      " and (a.attnum = any((select c.conkey from pg_catalog.pg_constraint c where c.conrelid = t.oid and c.conname = ",
      { bind: rule },
      ")::smallint[]) or a.attnum = any((select i.indkey from pg_catalog.pg_index i join pg_catalog.pg_class x ",
      "on x.oid = i.indexrelid where i.indrelid = t.oid and x.relname = ",
      { bind: rule },
      ")::smallint[])) order by a.attnum",
    ],
    { limit: maxNames },
  );
  return rows.rows.map((row) => ({ name: textOf(row["name"]), readable: row["readable"] === true }));
}

/** Of the tables that the statement names, those of which the role may see a column. */
async function knownColumns({
  connection,
  tables,
}: HintSource): Promise<{ table: TableName; columns: KnownColumn[] }[]> {
  const known: { table: TableName; columns: KnownColumn[] }[] = [];
  for (const table of tables.slice(0, 5)) {
    const columns = await columnsOf(connection, table);
    if (columns.length > 0) known.push({ table, columns });
  }
  return known;
}

/** The columns of a table that the role may see, in the table's order. */
async function columnsOf(connection: PostgresConnection, { schema, name }: TableName): Promise<KnownColumn[]> {
  const sql: Sql = [
    "select a.attname as name, pg_catalog.format_type(a.atttypid, a.atttypmod) as type ",
    "from pg_catalog.pg_attribute a join pg_catalog.pg_class t on t.oid = a.attrelid ",
    "join pg_catalog.pg_namespace n on n.oid = t.relnamespace where n.nspname = ",
    { bind: schema },
    " and t.relname = ",
    { bind: name },
    " and a.attnum > 0 and not a.attisdropped and pg_catalog.has_schema_privilege(n.oid, 'usage') ",
    "and pg_catalog.has_column_privilege(t.oid, a.attnum, 'select') order by a.attnum",
  ];
  const { rows } = await connection.query(sql, { limit: 1_000 });
  return rows.rows.map((row) => ({ name: textOf(row["name"]), type: textOf(row["type"]) }));
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
