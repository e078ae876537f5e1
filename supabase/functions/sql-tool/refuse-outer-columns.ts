import { z } from "zod/mini";
import type { PostgresConnection } from "./open-postgres.ts";
import { Rejection } from "./rejection.ts";
import type { SubqueryColumn } from "./subquery-columns.ts";
import { showTable, type TableName } from "./table-name.ts";

const columnSchema = z.object({ schema: z.string(), table: z.string(), column: z.string() });

/** More than the columns of the tables that one statement can reasonably name. */
const mostColumns = 10_000;

/**
 * Refuses a change whose condition has a subquery with a column, named without its table, that the subquery's own tables do
 * not have: taken from the changed table it makes a condition that holds for every row. `changed` is that table.
 */
export async function refuseOuterColumns(
  connection: PostgresConnection,
  columns: readonly SubqueryColumn[],
  changed: TableName | undefined,
): Promise<void> {
  if (columns.length === 0) return;
  const known = await columnsOf(
    connection,
    columns.flatMap(({ tables }) => tables),
  );
  const stray = columns.find(({ name, tables }) => {
    const found = tables.map((table) => known.get(keyOf(table)));
    // What the database says of a table that is not there is clearer.
    return found.every((names) => names !== undefined) && !found.some((names) => names?.has(name) === true);
  });
  if (stray === undefined) return;
  const own = stray.tables.map(showTable).join(", ");
  throw new Rejection(
    `The column ${stray.name} stands in a subquery whose own tables do not have it, so it would be taken from outside.`,
    `Use a column of ${own === "" ? "a table" : own} there${changed === undefined ? "" : `, or write ${showTable(changed)}.${stray.name} if that is meant`}.`,
  );
}

async function columnsOf(
  connection: PostgresConnection,
  tables: readonly TableName[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const known = new Map<string, Set<string>>();
  if (tables.length === 0) return known;
  const { rows } = await connection.query(
    [
      'select n.nspname::text as "schema", c.relname::text as "table", a.attname::text as "column"',
      " from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid",
      " join pg_catalog.pg_namespace n on n.oid = c.relnamespace",
      " where not a.attisdropped and (n.nspname::text, c.relname::text) in",
      " (select * from rows from (pg_catalog.unnest(",
      { bind: tables.map(({ schema }) => schema) },
      "::text[]), pg_catalog.unnest(",
      { bind: tables.map(({ name }) => name) },
      "::text[])))",
    ],
    { limit: mostColumns },
  );
  for (const row of rows.rows) {
    const { schema, table, column } = columnSchema.parse(row);
    const key = keyOf({ schema, name: table });
    known.set(key, (known.get(key) ?? new Set()).add(column));
  }
  return known;
}

function keyOf({ schema, name }: TableName): string {
  return JSON.stringify([schema, name]);
}
