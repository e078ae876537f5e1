import { randomUUID } from "node:crypto";
import { startQueueOnPostgres } from "../worker/testing/queue-on-postgres.ts";
import type { WorkerWorld } from "../worker/testing/worker-world.ts";
import { startWorkerWorld } from "../worker/testing/worker-world.ts";
import { type Bench, limitRow, median, type Row, time } from "./measure.ts";

const queued = 10_000;
const claims = 100;
const starts = 200;

type Sql = (statement: string, parameters?: string[]) => Promise<Record<string, unknown>[]>;

/** What 10,000 queued runs of an account behind a limit cost it and others, on the embedded database and on a server. */
export const queueBench: Bench = {
  id: "queue",
  title: `A queue of ${queued} runs behind a limit`,
  async run() {
    const world = await startWorkerWorld({ workers: 0 });
    try {
      const embedded: Sql = (statement, parameters) => world.stack.sql(statement, parameters);
      const rows = await measured("embedded", embedded, world.user.userId);
      return [...rows, ...(await onPostgres(world))];
    } finally {
      await world.stop();
    }
  },
};

async function onPostgres(world: WorkerWorld): Promise<Row[]> {
  const queue = await startQueueOnPostgres(world.user.userId, world.stepAgent({ name: "steps" }));
  try {
    return await measured(
      "Postgres",
      (statement, parameters = []) => queue.rows(statement, ...parameters),
      world.user.userId,
    );
  } finally {
    await queue.stop();
  }
}

async function measured(where: string, sql: Sql, saturated: string): Promise<Row[]> {
  const other = randomUUID();
  await sql("insert into auth.users (id, email) values ($1, 'other@example.test')", [other]);
  const [crowded, free] = [await publish(sql, saturated, '{"concurrent": 1}'), await publish(sql, other, "{}")];
  const alone = await claimsOf(sql, other, free);
  const first = await startsOf(sql, saturated, crowded);
  const burst = await time(() =>
    sql(
      `insert into public.studio_runs (owner, workflow_id, status, source, published_version, input, queued_at)
       select '${saturated}', '${crowded}', 'queued', 'api', 1, '{}', clock_timestamp() from generate_series(1, ${queued})`,
    ),
  );
  const later = await startsOf(sql, saturated, crowded);
  await next(sql);
  const beside = await claimsOf(sql, other, free);
  const behind: number[] = [];
  for (let count = 0; count < claims; count += 1) {
    const [running] = await sql("select id from public.studio_runs where owner = $1 and status = 'running'", [
      saturated,
    ]);
    await end(sql, String(running?.["id"]));
    const begun = performance.now();
    if ((await next(sql))?.["owner"] !== saturated) throw new Error("The next run was not admitted.");
    behind.push(performance.now() - begun);
  }
  const row = (name: string, times: readonly number[]): Row => ({
    ...limitRow(`${name}, p95, ${where}`, p95(times), "ms", 20),
    baseline: p95(alone),
    ratio: p95(times) / p95(alone),
  });
  const ratio = later / first;
  return [
    {
      name: `start behind ${queued} queued runs, ${where} (baseline: behind none)`,
      value: later,
      unit: "ms",
      baseline: first,
      ratio,
      goal: "≤ 1.5 × the first ones",
      met: ratio <= 1.5,
    },
    limitRow(`a run of ${queued} that start in one transaction, ${where}`, burst / queued, "ms", first),
    row(`claim beside ${queued} queued runs of another account (baseline: beside none)`, beside),
    row(`next of ${queued} queued runs behind a limit`, behind),
  ];
}

/** How long a start usually takes, in milliseconds. */
async function startsOf(sql: Sql, owner: string, workflow: string): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < starts; count += 1) times.push(await time(() => start(sql, owner, workflow)));
  return median(times);
}

/** How long claims of an account's only queued run take, in milliseconds. */
async function claimsOf(sql: Sql, owner: string, workflow: string): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < claims; count += 1) {
    await start(sql, owner, workflow);
    const begun = performance.now();
    const run = await next(sql);
    times.push(performance.now() - begun);
    if (run?.["owner"] !== owner) throw new Error("Another run was taken.");
    await end(sql, String(run["id"]));
  }
  return times;
}

async function publish(sql: Sql, owner: string, limits: string): Promise<string> {
  const workflow = randomUUID();
  await sql("insert into public.studio_workflows (id, owner, name, document) values ($1, $2, 'queued', '{}')", [
    workflow,
    owner,
  ]);
  await sql(
    "insert into public.studio_publications (workflow_id, owner, slug, live, limits) values ($1, $2, $3, 1, $4::text::jsonb)",
    [workflow, owner, `queued-${workflow}`.slice(0, 40), limits],
  );
  await sql(
    "insert into public.studio_published (workflow_id, owner, version, document, hash) values ($1, $2, 1, '{}', repeat('0', 64))",
    [workflow, owner],
  );
  return workflow;
}

const start = (sql: Sql, owner: string, workflow: string) =>
  sql(
    `insert into public.studio_runs (owner, workflow_id, status, source, published_version, input, queued_at)
     values ($1, $2, 'queued', 'api', 1, '{}', now())`,
    [owner, workflow],
  );

const end = (sql: Sql, run: string) =>
  sql("update public.studio_runs set status = 'completed', ended_at = now() where id = $1", [run]);

async function next(sql: Sql): Promise<Record<string, unknown> | undefined> {
  const [row] = await sql("select id, owner from private.studio_next_run('bench', 600000, 10)");
  return row;
}

function p95(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Infinity;
}
