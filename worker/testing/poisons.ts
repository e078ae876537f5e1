import type { ChoreName } from "../chores.ts";
import type { DueAccount, RunSql } from "./due-chores.ts";

/** A way to spoil an account; gives how to undo it. */
export type Poison = (sql: RunSql, account: DueAccount) => Promise<() => Promise<void>>;

/** The tables whose rows of an owner chores change. */
const tables = [
  "public.studio_triggers",
  "public.studio_runs",
  "public.studio_run_waits",
  "public.studio_workflows",
  "public.studio_knowledge_documents",
  "public.studio_knowledge_sources",
  "private.studio_notices",
  "private.studio_trace_exports",
  "private.studio_pruned",
];

const listed = ({ owner, leaving }: DueAccount) => `('${owner}', '${leaving}')`;

/** More than every quota. */
const overQuota: Poison = async (sql, account) => {
  const use = (amount: number) =>
    sql(
      `insert into private.studio_usage (owner, rows, bytes, events, documents, uploads)
       select users.id, $1, $1, $1, $1, $1 from auth.users as users where users.id in ${listed(account)}
       on conflict (owner) do update set rows = $1, bytes = $1, events = $1, documents = $1, uploads = $1`,
      [amount],
    );
  await use(1e15);
  return async () => void (await use(0));
};

/** Rows that break a constraint with every change, and that nothing may delete. */
const brokenRows: Poison = async (sql, account) => {
  for (const table of tables) {
    await sql(`alter table ${table} add constraint poison check (owner not in ${listed(account)}) not valid`);
  }
  await sql(
    "create table private.poison (run_id uuid references public.studio_runs, left_by uuid references auth.users)",
  );
  await sql(`insert into private.poison select id, null from public.studio_runs where owner in ${listed(account)}`);
  await sql("insert into private.poison values (null, $1)", [account.leaving]);
  return async () => {
    await sql("drop table private.poison");
    for (const table of tables) await sql(`alter table ${table} drop constraint poison`);
  };
};

/** Statements about the account's rows that do not end. */
const endlessStatements: Poison = async (sql, account) => {
  await sql(`create function private.poison() returns trigger language plpgsql as $$
    begin
      perform count(*) from generate_series(1, 100000000000);
      return coalesce(new, old);
    end $$`);
  for (const table of tables) {
    for (const [event, row] of [
      ["update", "old"],
      ["delete", "old"],
      ["insert", "new"],
    ] as const) {
      await sql(
        `create trigger poison_${event} before ${event} on ${table} for each row
         when (${row}.owner in ${listed(account)}) execute function private.poison()`,
      );
    }
  }
  return async () => void (await sql("drop function private.poison() cascade"));
};

/** Documents and values that nothing can read, in every place that takes any. */
const unreadable: Poison = async (sql, { workflow }) => {
  const own = [workflow];
  await sql(
    "update public.studio_published set document = '{\"nodes\": 5}', workflows = '{\"x\": 5}' where workflow_id = $1",
    own,
  );
  await sql('update public.studio_publications set limits = \'{"concurrent": "many"}\' where workflow_id = $1', own);
  await sql(
    "update public.studio_triggers set cron = '99 x * * *', time_zone = 'Mars/Base' where workflow_id = $1",
    own,
  );
  await sql(
    `update public.studio_runs set forked_from = '{"runId": 5}', input = '7' where workflow_id = $1 and status = 'queued'`,
    own,
  );
  await sql("update private.studio_notices set body = '5' where workflow_id = $1", own);
  await sql("update private.studio_collectors set headers = '{\"x\": 5}' where workflow_id = $1", own);
  await sql(
    `update public.studio_run_events set event = '{}'
     where run_id in (select id from public.studio_runs where workflow_id = $1)`,
    own,
  );
  return () => Promise.resolve();
};

/** Each with the chores that its account is told of, at least, and those that are refused to it where all others are done. */
export const poisons: readonly {
  what: string;
  spoil: Poison;
  told: readonly ChoreName[];
  refused?: readonly ChoreName[];
}[] = [
  { what: "is over every quota", spoil: overQuota, told: ["sources"], refused: ["schedules"] },
  {
    what: "has rows that break a constraint",
    spoil: brokenRows,
    told: [
      "claims",
      "lost-runs",
      "notices",
      "reindexing",
      "retention",
      "schedules",
      "sources",
      "traces",
      "uploads",
      "waits",
    ],
  },
  { what: "has documents that nobody can read", spoil: unreadable, told: ["traces"] },
  { what: "has statements that do not end", spoil: endlessStatements, told: [] },
];

/** Statements with which another session locks every row of an account, its figures of use among them. */
export function lockingStatements({ owner, leaving }: DueAccount): string[] {
  const both = `('${owner}', '${leaving}')`;
  return [
    ...[
      ...tables,
      "private.studio_usage",
      "private.studio_deletions",
      "private.studio_run_sums",
      "public.studio_publications",
    ].map((table) => `select owner from ${table} where owner in ${both} for update`),
    `select id from auth.users where id in ${both} for update`,
  ];
}
