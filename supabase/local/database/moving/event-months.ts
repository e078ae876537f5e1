import type { SqlSession } from "../sql-session.ts";

const monthOfPartition = /\bstudio_run_events_(\d{4})_(\d{2})\b/g;

/** The months, as their first days, whose partitions of `studio_run_events` a text names. */
export function monthsNamed(text: string): string[] {
  return [...text.matchAll(monthOfPartition)].map(([, year, month]) => `${year}-${month}-01`);
}

/** The months whose runs have a partition for their events. */
export async function readEventMonths(session: SqlSession): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'private'::regnamespace and relispartition and relkind = 'r'",
  );
  return rows.flatMap(({ name }) => monthsNamed(name));
}

/** Gives them one here too, without which a month that is over could not be dropped in one. */
export async function addEventMonths(session: SqlSession, months: readonly string[]): Promise<void> {
  for (const month of months) {
    await session.query("select private.studio_add_events_month($1::text::timestamp at time zone 'utc')", [month]);
  }
}
