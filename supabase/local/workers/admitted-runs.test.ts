import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { DatabaseTransaction } from "../database/database-client.ts";
import { type SignedIn, signUp } from "../testing/clients.ts";
import { plant } from "../testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";

let stack: TestStack;
let user: SignedIn;
let other: SignedIn;

beforeAll(async () => {
  stack = await startTestStack();
  user = await signUp(stack);
  other = await signUp(stack);
});
afterAll(() => stack.stop());
beforeEach(async () => {
  await stack.sql("delete from public.studio_runs");
  await stack.sql("delete from private.studio_run_jobs");
  await stack.sql("delete from private.studio_queue_checks");
});

/** A published workflow, with limits. */
async function publishOne(owner: SignedIn, limits: object = {}): Promise<string> {
  const workflow = String((await plant(stack, "studio_workflows", owner)).id);
  const { error } = await owner.client.rpc("studio_publish", {
    p_workflow_id: workflow,
    p_document: { nodes: {} },
    p_workflows: {},
    p_hash: "0".repeat(64),
    p_schedules: [],
    p_slug: `flow-${workflow}`.slice(0, 40),
    p_note: "",
    p_revision: 1,
    p_target: "live",
  });
  if (error) throw new Error(error.message);
  await setLimits(owner, workflow, limits);
  return workflow;
}

async function setLimits(owner: SignedIn, workflow: string, limits: object): Promise<void> {
  await owner.client.rpc("studio_set_publication", {
    p_workflow_id: workflow,
    p_limits: limits,
    p_on_failure: null,
  });
}

/** Rows of runs that were read for this session, also by what came before. */
async function fetched(transaction: DatabaseTransaction): Promise<number> {
  const { rows } = await transaction.query<{ fetched: number }>(
    `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer as fetched
     from pg_stat_xact_user_tables where relid = 'public.studio_runs'::regclass`,
  );
  return rows[0]?.fetched ?? 0;
}

const oneRun = `insert into public.studio_runs (owner, workflow_id, status, source, published_version, input, queued_at)
   values ($1, $2, 'queued', 'api', 1, '{}', clock_timestamp())`;

/** Queues so many runs at once. */
async function queue(owner: SignedIn, workflow: string, count: number): Promise<string[]> {
  const rows = await stack.sql<{ id: string }>(
    `insert into public.studio_runs (owner, workflow_id, status, source, published_version, input, queued_at)
     select $1, $2, 'queued', 'api', 1, '{}', clock_timestamp() from generate_series(1, $3::integer) returning id`,
    [owner.userId, workflow, count],
  );
  return rows.map(({ id }) => id);
}

async function next(): Promise<string | undefined> {
  const [row] = await stack.sql<{ id: string }>("select id from private.studio_next_run('one', 60000)");
  return row?.id;
}

/** Takes runs until there is none. */
async function takeAll(): Promise<string[]> {
  const ids: string[] = [];
  for (let id = await next(); id !== undefined; id = await next()) ids.push(id);
  return ids;
}

const end = (id: string) =>
  stack.sql("update public.studio_runs set status = 'completed', ended_at = now() where id = $1", [id]);

async function jobs(owner = user): Promise<number> {
  const [row] = await stack.sql<{ jobs: number }>(
    "select count(*)::integer as jobs from private.studio_run_jobs where owner = $1",
    [owner.userId],
  );
  return row?.jobs ?? 0;
}

it("has a job for no more of an account's runs than may go on, so that a long queue is in nobody's way", async () => {
  const [narrow, wide, theirs] = [
    await publishOne(user, { concurrent: 1 }),
    await publishOne(user),
    await publishOne(other),
  ];
  const [first] = await queue(user, narrow, 300);
  expect(await jobs()).toBe(1);
  expect(await takeAll()).toEqual([first]);
  await queue(user, wide, 300);
  expect(await jobs()).toBe(49);
  await takeAll();
  expect(await jobs()).toBe(0);
  const [run] = await queue(other, theirs, 1);
  expect(await takeAll()).toEqual([run]);
  // The end of one admits the next one in the same transaction.
  await end(String(first));
  expect(await jobs()).toBe(1);
});

it("admits what a transaction made room for and what it queued, whichever of them came first", async () => {
  const [narrow, wide] = [await publishOne(user, { concurrent: 1 }), await publishOne(user, { concurrent: 2 })];
  const [first, second] = await queue(user, narrow, 3);
  expect(await takeAll()).toEqual([first]);
  await stack.sql(
    `with queued as (
       insert into public.studio_runs (owner, workflow_id, status, source, published_version, input, queued_at)
       select $1, workflow, 'queued', 'api', 1, '{}', clock_timestamp()
       from unnest(array[$2, $3]::uuid[]) as workflow, generate_series(1, 5)
     )
     update public.studio_runs set status = 'completed', ended_at = now() where id = $4`,
    [user.userId, narrow, wide, first],
  );
  expect(await jobs()).toBe(3);
  const taken = await takeAll();
  expect(taken).toHaveLength(3);
  expect(taken).toContain(second);
});

it("takes a place that became free in one workflow for another one, where the account had all its runs", async () => {
  const [one, another] = [await publishOne(user), await publishOne(user)];
  await queue(user, one, 50);
  const running = await takeAll();
  const [waiting] = await queue(user, another, 1);
  expect(await jobs()).toBe(0);
  await end(String(running[0]));
  expect(await takeAll()).toEqual([waiting]);
});

it("reads as many runs for a start, an end and a claim however long the queue is", async () => {
  const [narrow, free] = [await publishOne(user, { concurrent: 1 }), await publishOne(other)];
  const [first] = await queue(user, narrow, 2);
  await takeAll();
  const read = () =>
    stack.undone(async (transaction) => {
      const counted: number[] = [];
      const before = await fetched(transaction);
      const statements: [string, unknown[]][] = [
        [`${oneRun} returning id`, [user.userId, narrow]],
        ["update public.studio_runs set status = 'completed', ended_at = now() where id = $1", [first]],
        [`${oneRun} returning id`, [other.userId, free]],
        ["select id from private.studio_next_run('one', 60000)", []],
        ["select id from private.studio_next_run('one', 60000)", []],
      ];
      for (const [statement, parameters] of statements) {
        const { rows } = await transaction.query(statement, parameters);
        await transaction.query("set constraints all immediate");
        counted.push(rows.length);
      }
      expect(counted).toEqual([1, 0, 1, 1, 1]);
      return (await fetched(transaction)) - before;
    });
  const few = await read();
  expect(few).toBeGreaterThan(0);
  await queue(user, narrow, 500);
  expect(await read()).toBeLessThan(few + 20);
});

it("loses nothing when every job is deleted", async () => {
  const workflow = await publishOne(user, { concurrent: 3 });
  const ids = await queue(user, workflow, 8);
  const ended: string[] = [];
  for (let round = 0; ended.length < ids.length && round < 20; round += 1) {
    await stack.sql("delete from private.studio_run_jobs");
    await stack.sql("delete from private.studio_queue_checks");
    expect(await next()).toBeUndefined();
    const due = await stack.sql<{ owner: string }>("select owner from private.studio_due_owners('queue', null, 10)");
    for (const { owner } of due) await stack.sql("select private.studio_check_later($1, now())", [owner]);
    const taken = await takeAll();
    expect(taken.length).toBeLessThanOrEqual(3);
    for (const id of taken) await end(id);
    ended.push(...taken);
  }
  expect(ended.toSorted()).toEqual(ids.toSorted());
});

it("takes a job of a run that is not queued for done", async () => {
  const workflow = await publishOne(user);
  const [cancelled, ran] = await queue(user, workflow, 2);
  await user.client.rpc("studio_cancel_run", { p_run_id: cancelled });
  expect(await jobs()).toBe(1);
  for (const run of [cancelled, randomUUID()]) {
    await stack.sql("insert into private.studio_run_jobs (run_id, owner, workflow_id) values ($1, $2, $3)", [
      run,
      user.userId,
      workflow,
    ]);
  }
  expect(await takeAll()).toEqual([ran]);
  expect(await jobs()).toBe(0);
});

it("starts so many in a minute, the next ones a minute after those, and holds back none that had begun", async () => {
  const workflow = await publishOne(user, { perMinute: 2 });
  const ids = await queue(user, workflow, 5);
  expect(await takeAll()).toEqual(ids.slice(0, 2));
  // Given back by a worker that stops.
  await stack.sql("select private.studio_release_run($1, 1, '[]', 'queued')", [ids[0]]);
  expect(await takeAll()).toEqual([ids[0]]);
  await stack.sql("update public.studio_runs set started_at = now() - interval '61 seconds' where attempt > 0");
  expect(await next()).toBeUndefined();
  const [check] = await stack.sql<{ soon: boolean }>(
    "select bool_and(at between now() and now() + interval '1 minute') as soon from private.studio_queue_checks",
  );
  expect(check?.soon).toBe(true);
  await stack.sql("update private.studio_queue_checks set at = now()");
  expect(await takeAll()).toEqual(ids.slice(2, 4));
});

it("goes by a changed limit from the next run on, also for runs that were admitted", async () => {
  const workflow = await publishOne(user);
  const ids = await queue(user, workflow, 6);
  await setLimits(user, workflow, { concurrent: 2 });
  expect(await takeAll()).toEqual(ids.slice(0, 2));
  await setLimits(user, workflow, { concurrent: 4 });
  expect(await takeAll()).toEqual(ids.slice(2, 4));
  // One whose worker is gone keeps its place.
  await stack.sql("update public.studio_runs set lease_until = now() - interval '1 second' where id = $1", [ids[0]]);
  expect(await takeAll()).toEqual([ids[0]]);
});

it("admits nothing while the studio pauses, and what was queued meanwhile once it goes on", async () => {
  const workflow = await publishOne(user);
  await stack.sql("insert into private.studio_pause (reason) values ('Restored.')");
  const [run] = await queue(user, workflow, 1);
  expect([await jobs(), await next()]).toEqual([0, undefined]);
  await stack.sql("delete from private.studio_pause");
  expect(await takeAll()).toEqual([run]);
});

it("forgets the queue of an account that is gone", async () => {
  const gone = await signUp(stack);
  await queue(gone, await publishOne(gone), 3);
  await stack.sql("delete from auth.users where id = $1", [gone.userId]);
  expect(await next()).toBeUndefined();
  const left = await stack.sql(
    "select owner from private.studio_run_jobs union all select owner from private.studio_queue_checks",
  );
  expect(left).toEqual([]);
});

it("tells workers of older versions that they are", async () => {
  await expect(
    stack.sql("select claimed.id from private.studio_claim_run('old', 12000, 50, 10) as claimed"),
  ).rejects.toThrow("The worker old is of an older version than its database.");
});
