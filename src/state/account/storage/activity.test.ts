import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { plant } from "../../../../supabase/local/testing/sample-rows.ts";
import { sharedTestStack, type SharedStack } from "../../../../supabase/local/testing/shared-stack.ts";
import type { ActivityRange } from "../../../services/services.ts";
import { createActivity } from "./activity.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";

let stack: SharedStack;
let owner: SignedIn;
let workflowId: string;

beforeAll(async () => {
  stack = await sharedTestStack();
  owner = await signUp(stack);
  workflowId = await publication("Answers");
});

async function publication(name: string): Promise<string> {
  const workflow = await plant(stack, "studio_workflows", owner, { id: randomUUID(), name, document: { nodes: {} } });
  const id = String(workflow.id);
  await plant(stack, "studio_publications", owner, { workflow_id: id, slug: `slug-${id}`, live: 1 });
  return id;
}

async function activityOf(user: SignedIn) {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  const { data } = await user.client.auth.getSession();
  await client.auth.setSession(data.session ?? { access_token: "", refresh_token: "" });
  return createActivity(client);
}

/** A run that has gone on since `startedAt` and ends now in the log, at `endedAt`. */
interface Ran {
  startedAt: string;
  endedAt: string;
  status?: string;
  source?: string;
  subject?: string;
  error?: object;
  costUsd?: number | null;
  tools?: readonly (readonly [name: string, ok: boolean])[];
  of?: string;
}

async function ran({ startedAt, endedAt, status = "completed", source = "chat", ...more }: Ran): Promise<string> {
  const run = await plant(stack, "studio_runs", owner, {
    id: randomUUID(),
    workflow_id: more.of ?? workflowId,
    status: "running",
    source,
    published_version: source === "editor" ? null : 1,
    subject: more.subject ?? null,
    started_at: startedAt,
    input: JSON.stringify({ value: { message: `Started at ${startedAt}` } }),
  });
  for (const [seq, [name, ok]] of (more.tools ?? []).entries()) {
    await plant(stack, "studio_run_events", owner, {
      run_id: run.id,
      run_added_at: run.added_at,
      seq,
      at: endedAt,
      type: "tool-call-end",
      event: { type: "tool-call-end", toolName: name, ok },
    });
  }
  await stack.sql(
    `update public.studio_runs set status = $2, ended_at = $3, error = $4::text::jsonb, cost_usd = $5, total_tokens = 7
     where id = $1`,
    [run.id, status, endedAt, more.error ? JSON.stringify(more.error) : null, more.costUsd ?? null],
  );
  return String(run.id);
}

const hour = 3_600_000;
/** The beginning of this hour, and so long before. */
const now = Math.floor(Date.now() / hour) * hour;
const ago = (milliseconds: number) => new Date(now - milliseconds).toISOString();
const range = (bucket: ActivityRange["bucket"], from: number): ActivityRange => ({
  from: ago(from),
  bucket,
  timeZone: "UTC",
});

const nothing = { failed: 0, cancelled: 0, costUsd: 0, unpriced: 0, visitors: 0, up: 0, down: 0 };

it("counts runs of workers as they end, by hour: outcome, time, cost, visitors, tools and errors", async () => {
  const tools = [
    ["http_get", true],
    ["http_get", false],
    ["calculator", true],
  ] as const;
  const boom = { code: "model_error", message: "The vendor is away.", hint: "", retryable: true };
  await ran({ startedAt: ago(2 * hour), endedAt: ago(2 * hour - 1_000), costUsd: 0.25, subject: "ada", tools });
  await ran({ startedAt: ago(2 * hour), endedAt: ago(2 * hour - 4_000), costUsd: 0.5, subject: "ada" });
  await ran({ startedAt: ago(hour), endedAt: ago(hour - 2_000), status: "failed", error: boom, subject: "ada" });
  await ran({ startedAt: ago(hour), endedAt: ago(hour - 2_000), status: "cancelled", subject: "bob" });
  // Neither of these counts: a browser's run, and one of another workflow.
  await ran({ startedAt: ago(hour), endedAt: ago(hour - 1), source: "editor" });
  await ran({ startedAt: ago(hour), endedAt: ago(hour - 1), of: await publication("Other") });

  const found = await (await activityOf(owner)).of(workflowId, range("hour", 5 * hour));
  expect(found).toMatchObject({ name: "Answers", live: 1, visitors: 2, errors: [{ code: "model_error", runs: 1 }] });
  expect(found.tools).toEqual([
    { name: "http_get", calls: 2, failed: 1 },
    { name: "calculator", calls: 1, failed: 0 },
  ]);
  expect(found.buckets).toEqual([
    {
      at: now - 2 * hour,
      runs: 2,
      ...nothing,
      costUsd: 0.75,
      visitors: 1,
      // 2^(39/4) is 861 ms, 2^(47/4) 3,444 ms.
      durations: { "39": 1, "47": 1 },
    },
    {
      at: now - hour,
      runs: 2,
      ...nothing,
      failed: 1,
      cancelled: 1,
      unpriced: 2,
      visitors: 2,
      durations: { "43": 1 },
    },
  ]);
  const listed = await (await activityOf(owner)).overview(ago(24 * hour));
  expect(listed.map(({ name, runs, failed }) => [name, runs, failed])).toEqual([
    ["Answers", 4, 1],
    ["Other", 1, 0],
  ]);
});

it("adds hours up to days of the asker's time zone, and keeps what it counted when runs are deleted", async () => {
  const id = await publication("Days");
  const noon = Math.floor((now - 48 * hour) / (24 * hour)) * 24 * hour + 12 * hour;
  const at = (offset: number) => new Date(noon + offset).toISOString();
  // 23:30 and 00:30 of the day after in UTC: one day in Tokyo.
  await ran({ startedAt: at(11 * hour), endedAt: at(11.5 * hour), of: id, subject: "ada" });
  await ran({ startedAt: at(12 * hour), endedAt: at(12.5 * hour), of: id, subject: "ada" });
  await stack.sql("delete from public.studio_runs where workflow_id = $1", [id]);
  const activity = await activityOf(owner);
  const from = at(-24 * hour);
  const utc = await activity.of(id, { from, bucket: "day", timeZone: "UTC" });
  expect(utc.buckets.map(({ at: start, runs }) => [start, runs])).toEqual([
    [noon - 12 * hour, 1],
    [noon + 12 * hour, 1],
  ]);
  const tokyo = await activity.of(id, { from, bucket: "day", timeZone: "Asia/Tokyo" });
  expect(tokyo.buckets.map(({ at: start, runs }) => [start, runs])).toEqual([[noon + 3 * hour, 2]]);
  expect(tokyo.visitors).toBe(1);
});

it("lists failed runs and feedback with their runs, the latest first, page after page", async () => {
  const id = await publication("Rated");
  const error = { code: "budget", message: "Too dear.", hint: "", retryable: false };
  const runs: string[] = [];
  for (const offset of [3, 2, 1])
    runs.push(
      await ran({ startedAt: ago(offset * hour), endedAt: ago(offset * hour - 5), status: "failed", error, of: id }),
    );
  const thread = await plant(stack, "studio_chat_threads", owner, { workflow_id: id, subject: "ada", title: "Hi" });
  for (const [index, run] of runs.entries()) {
    await plant(stack, "studio_chat_turns", owner, {
      run_id: run,
      thread_id: thread.id,
      rating: index === 0 ? null : index === 1 ? "down" : "up",
      comment: index === 1 ? "Wrong price" : "",
      rated_at: index === 0 ? null : ago((3 - index) * hour),
    });
  }
  const activity = await activityOf(owner);
  const failed = await activity.failedRuns(id, 2);
  expect(failed.map((run) => run.id)).toEqual([runs[2], runs[1]]);
  expect(failed[0]).toMatchObject({ source: "chat", version: 1, error: { code: "budget", message: "Too dear." } });
  expect((await activity.failedRuns(id, 2, failed[1]?.startedAt)).map((run) => run.id)).toEqual([runs[0]]);
  const feedback = await activity.feedback(id, 10);
  expect(feedback.map(({ runId, rating, comment }) => [runId, rating, comment])).toEqual([
    [runs[2], "up", ""],
    [runs[1], "down", "Wrong price"],
  ]);
  expect(feedback[0]?.input).toMatchObject({ message: expect.stringContaining("Started at") });
  expect((await activity.feedback(id, 10, feedback[0]?.at)).map(({ runId }) => runId)).toEqual([runs[1]]);
  const { buckets } = await activity.of(id, range("hour", 5 * hour));
  expect(buckets.map(({ up, down }) => [up, down])).toEqual([
    [0, 0],
    [0, 1],
    [1, 0],
  ]);
});

it("S37 shows nobody else's publication, failures or feedback", async () => {
  const stranger = await activityOf(await signUp(stack));
  await expect(stranger.of(workflowId, range("hour", hour))).rejects.toMatchObject({ kind: "not-found" });
  expect(await stranger.failedRuns(workflowId, 10)).toEqual([]);
  expect(await stranger.feedback(workflowId, 10)).toEqual([]);
  expect(await stranger.overview(ago(hour))).toEqual([]);
});

it("lets a run end that cannot be counted", async () => {
  await stack.sql("alter table private.studio_activity rename to studio_activity_away");
  const run = await ran({ startedAt: ago(hour), endedAt: ago(0) }).finally(() =>
    stack.sql("alter table private.studio_activity_away rename to studio_activity"),
  );
  expect(await stack.sql("select status from public.studio_runs where id = $1", [run])).toEqual([
    { status: "completed" },
  ]);
});
