import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod/mini";
import { type SignedIn, signUp } from "../supabase/local/testing/clients.ts";
import { plant } from "../supabase/local/testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../supabase/local/testing/start-stack.ts";
import { fireSchedulesOf, type ScheduleDoor } from "./schedules.ts";
import { workerStatements } from "./statements.ts";

let stack: TestStack;
let user: SignedIn;
let door: ScheduleDoor;

beforeAll(async () => {
  stack = await startTestStack();
  user = await signUp(stack);
  door = { ask: (statement, parameters) => stack.sql(workerStatements[statement], [...parameters]) };
});
afterAll(() => stack.stop());

async function publishDaily(slug: string, missed: "skip" | "once", cron = "0 8 * * *") {
  const workflow = String((await plant(stack, "studio_workflows", user)).id);
  const { error } = await user.client.rpc("studio_publish", {
    p_workflow_id: workflow,
    p_document: { nodes: {} },
    p_workflows: {},
    p_hash: "0".repeat(64),
    p_schedules: [{ nodeId: "start", cron, timeZone: "UTC", missed, input: { city: "Bergen" } }],
    p_slug: slug,
    p_note: "",
    p_revision: 1,
    p_target: "live",
  });
  if (error) throw new Error(error.message);
  return workflow;
}

const runsOf = (workflow: string) =>
  stack.sql("select source, status, input from public.studio_runs where workflow_id = $1", [workflow]);

async function triggerOf(workflow: string) {
  const [row] = await stack.sql<Record<string, unknown>>(
    "select next_at > now() as later, last_at, problem from public.studio_triggers where workflow_id = $1",
    [workflow],
  );
  return row;
}

/** How long ago the time was that was left out last; null where none was. */
async function skippedOf(workflow: string) {
  const [row] = await stack.sql<{ age: string | null }>(
    `select date_trunc('day', now() - skipped_at + interval '1 minute')::text as age from public.studio_triggers
     where workflow_id = $1`,
    [workflow],
  );
  return row?.age;
}

const dueSince = (workflow: string, age: string) =>
  stack.sql(
    "update public.studio_triggers set next_at = date_trunc('second', now()) - $2::interval where workflow_id = $1",
    [workflow, age],
  );

it("starts one run for a time that has come, however many workers look, with the time as its input", async () => {
  const workflow = await publishDaily("daily", "skip");
  await fireSchedulesOf(user.userId, door, Date.now());
  expect(await runsOf(workflow)).toEqual([]);
  expect(await triggerOf(workflow)).toMatchObject({ later: true, last_at: null });

  await dueSince(workflow, "20 seconds");
  await Promise.all([fireSchedulesOf(user.userId, door, Date.now()), fireSchedulesOf(user.userId, door, Date.now())]);
  await fireSchedulesOf(user.userId, door, Date.now());
  expect(await runsOf(workflow)).toEqual([
    {
      source: "schedule",
      status: "queued",
      input: { value: { city: "Bergen", scheduledAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) } },
    },
  ]);
  expect(await triggerOf(workflow)).toMatchObject({ later: true, problem: null });
});

it("leaves out what was missed, or runs once for all of it", async () => {
  const [skips, once] = [await publishDaily("skips", "skip"), await publishDaily("once", "once")];
  await dueSince(skips, "3 days");
  await dueSince(once, "3 days");
  await fireSchedulesOf(user.userId, door, Date.now());
  await fireSchedulesOf(user.userId, door, Date.now());
  expect(await runsOf(skips)).toEqual([]);
  expect(await runsOf(once)).toHaveLength(1);
  expect(await skippedOf(skips)).toBe("3 days");
  expect(await skippedOf(once)).toBeNull();
});

it("starts nothing that is switched off, and says why a schedule cannot run", async () => {
  const off = await publishDaily("off", "once");
  const [trigger] = await stack.sql<{ id: string }>("select id from public.studio_triggers where workflow_id = $1", [
    off,
  ]);
  await user.client.rpc("studio_switch_trigger", { p_trigger_id: trigger?.id, p_enabled: false });
  await dueSince(off, "1 hour");
  const never = await publishDaily("never", "skip", "0 8 30 2 *");
  await fireSchedulesOf(user.userId, door, Date.now());
  expect(await runsOf(off)).toEqual([]);
  expect(await triggerOf(never)).toMatchObject({ problem: "This schedule never comes due." });
});

it("S96 a run that is refused for lack of room stops no schedule: the reason is stored and told once, and it goes on once there is room", async () => {
  const workflow = await publishDaily("full", "once");
  const told = { url: "https://told.example.test/failures" };
  await user.client.rpc("studio_set_publication", { p_workflow_id: workflow, p_limits: {}, p_on_failure: told });
  const use = (bytes: number) =>
    stack.sql("update private.studio_usage set bytes = $2 where owner = $1", [user.userId, bytes]);
  const refusal = async () => {
    const { data } = await user.client.rpc("studio_schedules", { p_workflow_id: workflow });
    return z.array(z.object({ start_problem: z.nullable(z.string()), problem: z.nullable(z.string()) })).parse(data)[0];
  };
  await use(1e15);
  for (const age of ["1 hour", "20 seconds"]) {
    await dueSince(workflow, age);
    await fireSchedulesOf(user.userId, door, Date.now());
    expect(await triggerOf(workflow)).toMatchObject({ later: true, last_at: null, problem: null });
  }
  expect(await runsOf(workflow)).toEqual([]);
  expect(await refusal()).toEqual({
    start_problem: expect.stringContaining("storage of this account is full"),
    problem: null,
  });
  const notices = await stack.sql("select body ->> 'kind' as kind from private.studio_notices where workflow_id = $1", [
    workflow,
  ]);
  expect(notices).toEqual([{ kind: "run-not-started" }]);

  await use(0);
  await dueSince(workflow, "10 seconds");
  await fireSchedulesOf(user.userId, door, Date.now());
  expect(await runsOf(workflow)).toHaveLength(1);
  expect(await refusal()).toEqual({ start_problem: null, problem: null });
});

it("S96 over every quota what waits is ended and decided, what runs ends with its reason, and what waits in line is cancelled", async () => {
  const workflow = await publishDaily("moves-on", "skip");
  const plantRun = async (status: string) =>
    String(
      (await plant(stack, "studio_runs", user, { workflow_id: workflow, source: "manual", status, attempt: 1 })).id,
    );
  const ids = { late: await plantRun("waiting"), asked: await plantRun("waiting"), runs: await plantRun("running") };
  for (const [run, expires] of [
    [ids.late, "-1 second"],
    [ids.asked, "1 hour"],
  ]) {
    await stack.sql(
      `insert into public.studio_run_waits (run_id, call_id, owner, kind, question, expires_at)
       values ($1, 'call', $2, 'approval', '{}', now() + $3::interval)`,
      [run, user.userId, expires],
    );
  }
  await stack.sql("update private.studio_usage set rows = 1e15, bytes = 1e15, events = 1e15 where owner = $1", [
    user.userId,
  ]);
  expect(await stack.sql("select private.studio_expire_waits($1) as ended", [user.userId])).toEqual([{ ended: 1 }]);
  const decision = { p_run_id: ids.asked, p_call_id: "call", p_decision: { approved: true, reason: "Fine." } };
  expect((await user.client.rpc("studio_decide_wait", decision)).data).toBe("decided");
  const end = {
    status: "failed",
    output: { long: "x".repeat(1_000) },
    error: { code: "internal", message: "No room." },
  };
  const finish = "select private.studio_finish_run($1, 1, '[]', $2::text::jsonb) as answer";
  expect(await stack.sql(finish, [ids.runs, JSON.stringify(end)])).toEqual([{ answer: "ok" }]);
  expect((await user.client.rpc("studio_cancel_run", { p_run_id: ids.late })).error).toBeNull();
  const { error } = await user.client.rpc("studio_start_run", {
    p_workflow: "moves-on",
    p_target: "live",
    p_input: {},
  });
  expect(error?.message).toContain("quota_exceeded");
  const own = await user.client
    .from("studio_runs")
    .update({ output: { long: "x" } })
    .eq("id", ids.runs)
    .select();
  expect(own.data).toEqual([]);
});
