import type { SideEffect } from "../../../src/nodes/tools/postgres/sql-result.ts";
import type { PostgresConnection } from "./open-postgres.ts";
import { Rejection } from "./rejection.ts";
import { showTable, type TableName } from "./table-name.ts";

/** What a statement changed: rows of the tables that it names, and rows of others by triggers, cascades and rules. */
export interface Changes {
  affected: number;
  also: readonly SideEffect[];
}

/** Refuses a change of more rows than are allowed, those by triggers included; the transaction around it then rolls back. */
export function requireFew({ affected, also }: Changes, most: number): void {
  const more = also.reduce((sum, { rows }) => sum + rows, 0);
  if (affected + more <= most) return;
  const places = also.map(({ table, rows }) => `${rows} of ${table}`).join(", ");
  const words = more === 0 ? "" : ` and, through triggers, cascades or rules, ${more} more (${places})`;
  throw new Rejection(
    `The statement would touch ${affected} rows${words}, and ${most} are allowed; nothing was changed.`,
    "Narrow the condition, or ask the person to raise the limit on the tool.",
  );
}

/** Changes of one table's rows: all, and those that were put in. */
export interface TableChange {
  table: TableName;
  rows: number;
  inserted: number;
}

/** Row changes by table as this session has counted them; undefined where the database's owner turned counting off. */
type RowCounts = ReadonlyMap<string, TableChange>;

const keyOf = ({ schema, name }: TableName) => JSON.stringify([schema, name]);

/**
 * What this session has put into, changed in and taken out of every table, by whatever means: a statement, its WITH, a
 * trigger, a cascade, a rule. Views and foreign tables are counted nowhere.
 */
async function rowCounts(connection: PostgresConnection): Promise<RowCounts | undefined> {
  const { rows } = await connection.query(
    [
      "select n.nspname::text as schema, c.relname::text as name, s.inserted::text as inserted, s.changed::text as changed ",
      "from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace cross join lateral (select ",
      "pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid) as inserted, pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid) ",
      "+ pg_catalog.pg_stat_get_xact_tuples_updated(c.oid) + pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid) as changed) s ",
      // Oids below are the system's own; the row without a name says that rows are counted at all.
      "where c.relkind = 'r' and c.oid >= 16384 and s.changed > 0 ",
      "union all select '', '', '0', '0' where pg_catalog.current_setting('track_counts') = 'on'",
    ],
    { limit: 10_000 },
  );
  const counts = new Map<string, TableChange>();
  for (const { schema, name, changed, inserted } of rows.rows) {
    const table = { schema: String(schema), name: String(name) };
    counts.set(keyOf(table), { table, rows: Number(changed), inserted: Number(inserted) });
  }
  return counts.delete(keyOf({ schema: "", name: "" })) ? counts : undefined;
}

/**
 * Begins to count. What is given back ends it, after the triggers that wait for the end of the transaction, and gives the
 * changes since; undefined where Postgres does not count.
 */
export async function countChanges(connection: PostgresConnection): Promise<() => Promise<TableChange[] | undefined>> {
  const before = await rowCounts(connection);
  return async () => {
    await connection.command("set constraints all immediate");
    const after = await rowCounts(connection);
    if (!before || !after) return undefined;
    return [...after.values()].flatMap(({ table, rows, inserted }) => {
      const earlier = before.get(keyOf(table)) ?? { rows: 0, inserted: 0 };
      return rows > earlier.rows ? [{ table, rows: rows - earlier.rows, inserted: inserted - earlier.inserted }] : [];
    });
  };
}

/**
 * The tables with their partitions and heirs; undefined where one of them is a view or a foreign table, or a name that
 * Postgres finds in another schema.
 */
export async function countedTables(
  connection: PostgresConnection,
  tables: readonly TableName[],
): Promise<TableName[] | undefined> {
  const distinct = [...new Map(tables.map((table) => [keyOf(table), table])).values()];
  const { rows } = await connection.query(
    [
      "with recursive named as (select c.oid from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace ",
      "where (n.nspname::text, c.relname::text) in (select * from unnest(",
      { bind: distinct.map(({ schema }) => schema) },
      "::text[], ",
      { bind: distinct.map(({ name }) => name) },
      "::text[]))), held as (select oid from named union select i.inhrelid from pg_catalog.pg_inherits i join held on i.inhparent = held.oid) ",
      "select (select pg_catalog.count(*) from named)::integer as found, c.relkind in ('r', 'p') as counted, ",
      "n.nspname::text as schema, c.relname::text as name from held join pg_catalog.pg_class c on c.oid = held.oid ",
      "join pg_catalog.pg_namespace n on n.oid = c.relnamespace",
    ],
    { limit: 10_000 },
  );
  const held = rows.rows.map(({ schema, name }) => ({ schema: String(schema), name: String(name) }));
  const known = rows.rows.every(({ counted, found }) => counted === true && found === distinct.length);
  return known && held.length > 0 ? held : undefined;
}

/** How many of the changes are in these tables. */
export function changesIn(changes: readonly TableChange[], tables: readonly TableName[]): number {
  const keys = new Set(tables.map(keyOf));
  return changes.reduce((sum, { table, rows }) => (keys.has(keyOf(table)) ? sum + rows : sum), 0);
}

/**
 * What changed besides the `affected` rows that the statement itself reports. Those are taken off the named tables first;
 * rows of a partitioned table, or behind a view, stand under other names.
 */
export function sideEffects(
  changes: readonly TableChange[],
  named: readonly TableName[],
  affected: number,
): SideEffect[] {
  const keys = new Set(named.map(keyOf));
  const isNamed = ({ table }: TableChange) => Number(keys.has(keyOf(table)));
  let own = affected;
  return changes
    .toSorted((a, b) => isNamed(b) - isNamed(a) || b.rows - a.rows)
    .flatMap(({ table, rows }) => {
      const reported = Math.min(own, rows);
      own -= reported;
      return rows > reported ? [{ table: showTable(table), rows: rows - reported }] : [];
    });
}
