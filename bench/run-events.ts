import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { startPostgresServer } from "../supabase/functions/_shared/testing/postgres-server.ts";
import { loadKeys } from "../supabase/local/database/keys.ts";
import { openTargetServer } from "../supabase/local/database/moving/places.ts";
import { readServerAddress } from "../supabase/local/database/postgres/server-address.ts";
import { addVectors } from "../supabase/local/database/postgres/testing/vector-stand-in.ts";
import { type Bench, compare, type Row } from "./measure.ts";

const few = 100_000;
const many = 10_000_000;
const eventsPerRun = 50;
/** So few that each has a full first page of runs on both sides. */
const owners = 40;
const months = 6;
const runsAtOnce = 10_000;

/** What somebody waits for whose studio has stored ten million events, against one with a hundred thousand, both on a PostgreSQL server. */
export const runEventsBench: Bench = {
  id: "events",
  title: `Stored runs on PostgreSQL: ${many / 1e6} million events against ${few / 1e3},000`,
  // It writes about 5 GB.
  onlyWhenNamed: true,
  async run() {
    const small = await fillServer(few / eventsPerRun);
    try {
      const large = await fillServer(many / eventsPerRun);
      try {
        const rows: Row[] = [];
        for (const [name, work] of Object.entries(works)) {
          let turn = 0;
          // All over the place: most of them are met for the first time.
          const one = ({ sql, runs }: FilledServer) => work(sql, Math.floor(((turn * 0.618_033_988_75) % 1) * runs));
          const { ours, bare } = await compare(
            () => one(large),
            () => ((turn += 1), one(small)),
            { turns: 400, warmUp: 20 },
          );
          const ratio = ours / bare;
          rows.push({ name, value: ours, unit: "ms", baseline: bare, ratio, goal: "≤ 1.2 × few", met: ratio <= 1.2 });
        }
        return rows;
      } finally {
        await large.stop();
      }
    } finally {
      await small.stop();
    }
  },
};

interface FilledServer {
  sql: postgres.Sql;
  runs: number;
  stop(): Promise<void>;
}

async function fillServer(runs: number): Promise<FilledServer> {
  const root = await mkdtemp(join(tmpdir(), "switchyard-events-"));
  const server = await startPostgresServer();
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  const stop = async () => {
    await sql.end({ timeout: 5 });
    await server.stop();
    await rm(root, { recursive: true, force: true });
  };
  try {
    await addVectors(server);
    const keys = await loadKeys(join(root, "keys.json"), { mayCreate: true });
    const migrations = fileURLToPath(new URL("../supabase/migrations", import.meta.url));
    const options = { migrations, log: () => undefined };
    const place = await openTargetServer(readServerAddress(server.url), keys, join(root, "keys.json"), options);
    await place.close();
    await addOwners(sql);
    await addRuns(sql, runs);
    return { sql, runs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const ownerOf = (index: number) => `md5('owner' || (${index} % ${owners}))::uuid`;

async function addOwners(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`
    insert into auth.users (id, email)
      select md5('owner' || i)::uuid, i || '@example.test' from generate_series(0, ${owners - 1}) as i;
    insert into public.studio_workflows (id, owner, name, document)
      select md5('owner' || i)::uuid, md5('owner' || i)::uuid, 'Busy', '{}' from generate_series(0, ${owners - 1}) as i;
    select private.studio_add_events_month(now() + make_interval(months => i)) from generate_series(0, ${months - 1}) as i`);
}

/** Runs, each with its events, past triggers and keys, which cost most of the time. */
async function addRuns(sql: postgres.Sql, runs: number): Promise<void> {
  for (let start = 0; start < runs; start += runsAtOnce) {
    const series = `generate_series(${start}, ${Math.min(runs, start + runsAtOnce) - 1}) as i`;
    const key = `md5('run' || i)::uuid`;
    const owner = `md5('owner' || i % ${owners})::uuid`;
    const at = `date_trunc('month', now()) + make_interval(months => i / ${owners} % ${months}, secs => i * 7 % 2000000)`;
    await sql.unsafe(`
      set session_replication_role = replica;
      insert into public.studio_runs (id, owner, workflow_id, status, input, output, started_at, ended_at, added_at)
        select ${key}, ${owner}, ${owner}, 'completed', jsonb_build_object('value', jsonb_build_object('message', 'Run ' || i)),
          '{"value":"Done"}', ${at}, ${at}, ${at} from ${series};
      insert into public.studio_run_events (run_id, run_added_at, owner, seq, at, type, event)
        select ${key}, ${at}, ${owner}, seq, ${at}, 'tool-call-end', jsonb_build_object(
          'runId', ${key}, 'seq', seq, 'at', 1, 'type', 'tool-call-end', 'nodeId', 'agent', 'callId', 'call-' || seq,
          'toolName', 'look_up', 'ok', true, 'output', md5(i || ' ' || seq) || md5(seq || ' ' || i))
        from ${series}, generate_series(0, ${eventsPerRun - 1}) as seq;
      set session_replication_role = origin`);
  }
  await sql.unsafe("vacuum (analyze) public.studio_runs");
  await sql.unsafe("vacuum (analyze) public.studio_run_events");
  await sql.unsafe("checkpoint");
}

const idOf = (index: number) => `md5('run' || ${index})::uuid`;

function asOwner(sql: postgres.Sql, index: number, statement: string): Promise<unknown> {
  const caller = `set_config('role', 'authenticated', true), set_config('request.jwt.claim.sub', ${ownerOf(index)}::text, true)`;
  return sql.begin(async (transaction) => {
    await transaction.unsafe(`select ${caller}`);
    await transaction.unsafe(statement);
  });
}

/** With the number of a run. */
const works: Record<string, (sql: postgres.Sql, index: number) => Promise<unknown>> = {
  "list: the first 50 runs of an account": (sql, index) =>
    asOwner(sql, index, `select * from public.studio_find_runs('{"trials":false}', 50, null)`),
  "open: the events of a run, as its owner": (sql, index) =>
    asOwner(
      sql,
      index,
      `select event from public.studio_run_events where run_id = ${idOf(index)} order by seq limit 1000 offset 0`,
    ),
  "resume: the log of a run, as a worker": (sql, index) =>
    sql.unsafe(`select event from private.studio_run_log(${idOf(index)}, ${idOf(index)}, 0, 1000)`),
  "record: one event more": (sql, index) =>
    sql.unsafe(
      `insert into public.studio_run_events (run_id, run_added_at, owner, seq, at, type, event)
       select id, added_at, owner, (random() * 1e9)::integer + 1000, now(), 'log', '{"type":"log"}'
       from public.studio_runs where id = ${idOf(index)}`,
    ),
};
