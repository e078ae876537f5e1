import type { PostgresConnection } from "./open-postgres.ts";
import { Rejection } from "./rejection.ts";
import type { TableName } from "./table-name.ts";

/** Refuses a change of more rows than are allowed; the transaction around it then rolls back. */
export function requireFew(affected: number, most: number): void {
  if (affected <= most) return;
  throw new Rejection(
    `The statement would touch ${affected} rows, and ${most} are allowed; nothing was changed.`,
    "Narrow the condition, or ask the person to raise the limit on the tool.",
  );
}

/**
 * How many rows this transaction has put into tables, changed and taken out of them, their partitions and heirs with them:
 * what a WITH changes is counted nowhere else. Undefined where Postgres does not count: for views and foreign tables, for
 * names that it finds in another schema, and where its owner has turned counting off.
 */
export async function countChanges(
  connection: PostgresConnection,
  tables: readonly TableName[],
): Promise<number | undefined> {
  const distinct = [...new Map(tables.map((table) => [JSON.stringify([table.schema, table.name]), table])).values()];
  const { rows } = await connection.query(
    [
      "with recursive named as (select c.oid from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace ",
      "where (n.nspname::text, c.relname::text) in (select * from unnest(",
      { bind: distinct.map(({ schema }) => schema) },
      "::text[], ",
      { bind: distinct.map(({ name }) => name) },
      "::text[]))), held as (select oid from named union select i.inhrelid from pg_catalog.pg_inherits i join held on i.inhparent = held.oid) ",
      "select (select pg_catalog.count(*) from named)::integer as found, ",
      "coalesce(pg_catalog.bool_and(c.relkind in ('r', 'p')), false) and pg_catalog.current_setting('track_counts') = 'on' as counted, ",
      "coalesce(pg_catalog.sum(pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid) + pg_catalog.pg_stat_get_xact_tuples_updated(c.oid) ",
      "+ pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid)), 0)::text as changed from held join pg_catalog.pg_class c on c.oid = held.oid",
    ],
    { limit: 1 },
  );
  const [row] = rows.rows;
  return row?.["counted"] === true && row["found"] === distinct.length ? Number(row["changed"]) : undefined;
}
