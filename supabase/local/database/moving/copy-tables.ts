import { inTransaction, type SqlSession } from "../sql-session.ts";
import { StartError } from "../../start-error.ts";
import { addEventMonths, readEventMonths } from "./event-months.ts";
import { alikeSql, sumOf } from "./sum-tables.ts";
import { readSequences, readTables, rebuildQueue, type Table } from "./tables.ts";

/** What was copied of a table. */
export interface CopiedTable {
  name: string;
  rows: number;
}

/** About this much is in memory at once. */
const batchBytes = 8 * 1024 * 1024;
const mostRows = 1_000;

/**
 * Copies the rows of all tables and the state of all sequences, in one transaction of the target, and compares each table by count
 * and checksum before it commits. Triggers of users rest meanwhile: what they would add comes along. Foreign keys are checked.
 * Throws StartError when both sides do not have the same tables; nothing is kept of a copy that failed.
 */
export function copyTables(source: SqlSession, target: SqlSession): Promise<CopiedTable[]> {
  return inTransaction(source, () =>
    inTransaction(target, async () => {
      // One state of the source, however long it takes; types and texts are named and written alike on both sides.
      await source.exec("set transaction isolation level repeatable read, read only");
      for (const side of [source, target]) {
        await side.exec(alikeSql);
      }
      const tables = await readTables(target);
      refuseOtherTables(await readTables(source), tables);
      await addEventMonths(target, await readEventMonths(source));
      for (const { name } of tables) await target.exec(`alter table ${name} disable trigger user`);
      for (const { name } of tables.toReversed()) await target.exec(`delete from ${name}`);
      const copied: CopiedTable[] = [];
      for (const table of tables) copied.push(await copyTable(source, target, table));
      for (const name of await readSequences(source)) await copySequence(source, target, name);
      for (const { name } of tables) await target.exec(`alter table ${name} enable trigger user`);
      await rebuildQueue(target);
      return copied;
    }),
  );
}

function refuseOtherTables(source: readonly Table[], target: readonly Table[]): void {
  const describe = (tables: readonly Table[]) =>
    new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} ${column.type}`)));
  const [there, here] = [describe(source), describe(target)];
  const other = [...there].find((column) => !here.has(column)) ?? [...here].find((column) => !there.has(column));
  if (other === undefined) return;
  throw new StartError(
    `The two databases do not have the same tables: ${other} is in one of them only.`,
    "Nothing was copied. Tables that are not the studio's belong into a database of their own.",
  );
}

async function copyTable(source: SqlSession, target: SqlSession, table: Table): Promise<CopiedTable> {
  const { name, columns } = table;
  const before = await sumOf(source, table);
  const labels = columns.map((_, index) => `c${index}`);
  const texts = columns.map((column, index) => `item.${column.name}::text as ${labels[index]}`).join(", ");
  const insert = `insert into ${name} (${columns.map((column) => column.name).join(", ")}) overriding system value
    select ${columns.map(({ type }, index) => `given.${labels[index]}::${type}`).join(", ")}
    from unnest(${labels.map((_, index) => `$${index + 1}::text[]`).join(", ")}) as given (${labels.join(", ")})`;
  const batch = Math.min(mostRows, Math.max(1, Math.floor(batchBytes / Math.max(1, before.longest ?? 1))));
  await source.exec(`declare moving no scroll cursor for select ${texts} from ${name} as item`);
  for (;;) {
    const { rows } = await source.query<Record<string, string | null>>(`fetch ${batch} from moving`);
    if (rows.length === 0) break;
    await target.query(
      insert,
      labels.map((label) => rows.map((row) => row[label] ?? null)),
    );
  }
  await source.exec("close moving");
  const after = await sumOf(target, table);
  if (after.rows !== before.rows || after.checksum !== before.checksum) {
    throw new StartError(
      `The copy of ${name} is not the same as what was read: ${after.rows} of ${before.rows} rows, or other values.`,
      "Nothing was kept of it. Both databases are as they were; please report this.",
    );
  }
  return { name, rows: after.rows };
}

async function copySequence(source: SqlSession, target: SqlSession, name: string): Promise<void> {
  const { rows } = await source.query<{ value: string; called: boolean }>(
    `select last_value::text as value, is_called as called from ${name}`,
  );
  const [state] = rows;
  if (!state) throw new Error(`The sequence ${name} has no state.`);
  await target.query("select setval($1::regclass, $2::text::bigint, $3::boolean)", [name, state.value, state.called]);
}
