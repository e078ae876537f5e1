import { inTransaction, type SqlSession } from "../sql-session.ts";
import { readTables, type Table } from "./tables.ts";

/** What a table holds. */
interface TableSum {
  rows: number;
  /** The same for the same rows in whatever order; null without rows. */
  checksum: string | null;
  /** Characters of the longest row. */
  longest: number | null;
}

/** So that values are written alike on both sides, and however long it takes. */
export const alikeSql =
  "set local search_path = ''; set local statement_timeout = 0; set local datestyle = 'ISO'; set local timezone = 'UTC'";

/** Counts and sums up a table, in a transaction with the settings of `alikeSql`. */
export async function sumOf(session: SqlSession, { name, columns }: Table): Promise<TableSum> {
  const row = `row(${columns.map((column) => `item.${column.name}::text`).join(", ")})::text`;
  // Hashes add up the same in whatever order the rows come.
  const { rows } = await session.query<TableSum>(
    `select count(*)::integer as rows, max(length(summed.text)) as longest,
       sum(('x' || substr(md5(summed.text), 1, 15))::bit(60)::bigint)::text as checksum
     from (select ${row} as text from ${name} as item) as summed`,
  );
  if (!rows[0]) throw new Error(`Nothing is known of ${name}.`);
  return rows[0];
}

/** All tables of one state of a database. `first`: done in the same state, before they are read. */
export function sumTables(
  session: SqlSession,
  first: () => Promise<void> = async () => undefined,
): Promise<{ name: string; rows: number; checksum: string | null }[]> {
  return inTransaction(session, async () => {
    await session.exec(`set transaction isolation level repeatable read, read only; ${alikeSql}`);
    await first();
    const sums = [];
    for (const table of await readTables(session)) {
      const { rows, checksum } = await sumOf(session, table);
      sums.push({ name: table.name, rows, checksum });
    }
    return sums;
  });
}
