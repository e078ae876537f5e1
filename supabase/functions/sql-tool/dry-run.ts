import type { DryRun, SqlRow } from "../../../src/nodes/tools/postgres/sql-result.ts";
import type { PostgresConnection } from "./open-postgres.ts";
import { quoteIdentifier, type Sql } from "./sql-text.ts";
import { quoteTable, type TableName } from "./table-name.ts";

/** How many rows a dry run shows. */
export const shownRows = 100;

/** What a change finds: the rows of one table under a condition. */
interface FoundRows {
  table: TableName;
  only: boolean;
  where: Sql;
}

/** The rows as they are, in the order of their key; and the key's columns, which tell which row is which afterwards. */
export interface RowsBefore {
  rows: readonly SqlRow[];
  key: readonly string[];
}

/** To be asked before the change. One row more than is shown. */
export async function rowsBefore(
  { table, only, where }: FoundRows,
  connection: PostgresConnection,
): Promise<RowsBefore> {
  const key = await keyColumns(table, connection);
  const order = key.length === 0 ? "" : ` order by ${key.map(quoteIdentifier).join(", ")}`;
  const from = `select * from ${only ? "only " : ""}${quoteTable(table)} where `;
  const { rows } = await connection.query([from, ...where, `${order} limit ${shownRows + 1}`], {
    limit: shownRows + 1,
  });
  return { rows: rows.rows, key };
}

/** The columns of the primary key. */
async function keyColumns({ schema, name }: TableName, connection: PostgresConnection): Promise<string[]> {
  const sql: Sql = [
    "select a.attname as name from pg_catalog.pg_index i join pg_catalog.pg_class t on t.oid = i.indrelid ",
    "join pg_catalog.pg_namespace n on n.oid = t.relnamespace ",
    "join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = any(i.indkey) where i.indisprimary and n.nspname = ",
    { bind: schema },
    " and t.relname = ",
    { bind: name },
  ];
  const { rows } = await connection.query(sql, { limit: 32 });
  return rows.rows.flatMap((row) => (typeof row["name"] === "string" ? [row["name"]] : []));
}

/** The rows before and after; `changed` are those that the change gave back, with every column. */
export function compareRows(
  operation: "insert" | "update" | "delete",
  { rows: before, key }: RowsBefore,
  changed: readonly SqlRow[],
  affectedRows: number,
): DryRun {
  const truncated = affectedRows > shownRows;
  const shown = before.slice(0, shownRows);
  switch (operation) {
    case "insert":
      return { before: [], after: changed.slice(0, shownRows), paired: false, affectedRows, truncated };
    case "delete":
      return { before: shown, after: [], paired: false, affectedRows, truncated };
    case "update": {
      const keyOf = (row: SqlRow): string => JSON.stringify(key.map((name) => row[name] ?? null));
      const byKey = new Map(changed.map((row) => [keyOf(row), row]));
      const pairs = shown.flatMap((row) => {
        const after = key.length === 0 ? undefined : byKey.get(keyOf(row));
        return after === undefined ? [] : [{ row, after }];
      });
      // A key that itself changes, or a table without one, leaves two lists.
      if (pairs.length === 0 || (pairs.length < shown.length && !truncated)) {
        return { before: shown, after: changed.slice(0, shownRows), paired: false, affectedRows, truncated };
      }
      const [rows, afters] = [pairs.map(({ row }) => row), pairs.map(({ after }) => after)];
      return { before: rows, after: afters, paired: true, affectedRows, truncated };
    }
  }
}
