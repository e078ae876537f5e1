import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod/mini";
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

const published = z.object({ version: z.number(), slug: z.string(), unchanged: z.boolean() });
const started = z.object({ id: z.string(), status: z.string(), created: z.boolean() });

let slugs = 0;

/** A workflow of `user` with one live version; its schedules as given. */
async function publishOne(document: object = { nodes: {} }, schedules: object[] = []) {
  const workflow = String((await plant(stack, "studio_workflows", user)).id);
  const slug = `flow-${(slugs += 1)}`;
  await publish(workflow, slug, document, { schedules });
  return { workflow, slug };
}

async function publish(
  workflow: string,
  slug: string,
  document: object,
  { schedules = [], target = "live", by = user }: { schedules?: object[]; target?: string; by?: SignedIn } = {},
) {
  const hash = Buffer.from(JSON.stringify(document)).toString("hex").padEnd(64, "0").slice(0, 64);
  const { data, error } = await by.client.rpc("studio_publish", {
    p_workflow_id: workflow,
    p_document: document,
    p_workflows: {},
    p_hash: hash,
    p_schedules: schedules,
    p_slug: slug,
    p_note: "",
    p_revision: 1,
    p_target: target,
  });
  if (error) throw new Error(error.message);
  return published.parse(data);
}

async function start(slug: string, key: string | null = null, by = user) {
  const { data, error } = await by.client.rpc("studio_start_run", {
    p_workflow: slug,
    p_target: "live",
    p_input: { message: "Hi" },
    p_key: key,
  });
  if (error) throw new Error(error.message);
  return started.parse(data);
}

interface Claim {
  id: string;
  attempt: number;
  input: unknown;
  document: unknown;
  cancelled: boolean;
}

async function claim(worker = "one", { leaseMs = 60_000, mostLost = 5 } = {}) {
  const rows = await stack.sql<Claim>("select * from private.studio_next_run($1, $2, $3)", [worker, leaseMs, mostLost]);
  return rows[0];
}

async function call(text: string, ...parameters: unknown[]) {
  const places = parameters.map((_, index) => `$${index + 1}`).join(", ");
  const [row] = await stack.sql<{ answer: unknown }>(`select private.${text}(${places}) as answer`, parameters);
  return row?.answer;
}

async function runRow(id: string) {
  const [row] = await stack.sql<Record<string, unknown>>("select * from public.studio_runs where id = $1", [id]);
  return row;
}

/** Ends whatever other tests left in the queue. */
async function emptyQueue() {
  await stack.sql("delete from public.studio_runs where source <> 'editor'");
}

const event = (seq: number, rest: object = { type: "log" }) => ({ seq, at: 1_750_000_000_000 + seq, ...rest });

it("publishes versions that count from 1, takes the same text for the same version, and rolls back", async () => {
  const { workflow, slug } = await publishOne({ nodes: {}, name: "a" });
  expect(await publish(workflow, slug, { nodes: {}, name: "b" })).toEqual({ version: 2, slug, unchanged: false });
  expect(await publish(workflow, slug, { nodes: {}, name: "b" })).toEqual({ version: 2, slug, unchanged: true });
  await user.client.rpc("studio_point", { p_workflow_id: workflow, p_target: "live", p_version: 1 });
  const { data } = await user.client.from("studio_publications").select("live,staging").eq("workflow_id", workflow);
  expect(data).toEqual([{ live: 1, staging: null }]);
});

it("publishes nobody else's workflow, under nobody else's name, and shows versions to their owner alone", async () => {
  const { workflow, slug } = await publishOne();
  await expect(publish(workflow, "theft", {}, { by: other })).rejects.toThrow("workflow_not_found");
  const own = String((await plant(stack, "studio_workflows", other)).id);
  await expect(publish(own, slug, {}, { by: other })).rejects.toThrow("slug_taken");
  await expect(start(slug, null, other)).rejects.toThrow("not_published");
  const { data } = await other.client.from("studio_published").select("version");
  expect(data).toEqual([]);
});

it("starts a run once for each key, and gives it to one worker", async () => {
  await emptyQueue();
  const { slug } = await publishOne({ nodes: { a: 1 } });
  const first = await start(slug, "order-7");
  expect(await start(slug, "order-7")).toEqual({ ...first, created: false });
  expect(await claim()).toMatchObject({
    id: first.id,
    attempt: 1,
    input: { message: "Hi" },
    document: { nodes: { a: 1 } },
  });
  expect(await claim("two")).toBeUndefined();
});

it("S81 a worker whose lease is over writes nothing once another has the run", async () => {
  await emptyQueue();
  const { slug } = await publishOne();
  const { id } = await start(slug);
  await claim("one", { leaseMs: 1 });
  await call("studio_append_run_events", id, 1, JSON.stringify([event(0)]), 1);
  expect(await claim("two")).toMatchObject({ id, attempt: 2 });
  expect(await call("studio_append_run_events", id, 1, JSON.stringify([event(1)]), 60_000)).toEqual({
    state: "fenced",
  });
  expect(await call("studio_finish_run", id, 1, "[]", JSON.stringify({ status: "completed", output: 1 }))).toBe(
    "fenced",
  );
  expect(await call("studio_release_run", id, 1, "[]", "queued")).toBe("fenced");
  expect(await call("studio_beat", "one", 1, JSON.stringify([{ id, attempt: 1 }]), 60_000)).toMatchObject({
    fenced: [id],
  });
  const events = await stack.sql("select seq from public.studio_run_events where run_id = $1", [id]);
  expect(events).toEqual([{ seq: 0 }]);
  expect(await call("studio_finish_run", id, 2, "[]", JSON.stringify({ status: "completed", output: 7 }))).toBe("ok");
  expect(await runRow(id)).toMatchObject({ status: "completed", output: { value: 7 }, lease_until: null });
});

it("S83 nobody writes, changes or deletes the row or the events of a run on a worker", async () => {
  await emptyQueue();
  const { workflow, slug } = await publishOne();
  const { id } = await start(slug);
  const { client } = user;
  const forged = await client.from("studio_runs").insert({ workflow_id: workflow, status: "running", source: "api" });
  expect(forged.error?.code).toBe("42501");
  const queued = await client.from("studio_runs").insert({ workflow_id: workflow, status: "queued" });
  expect(queued.error?.code).toBe("42501");
  const row = { run_id: id, seq: 0, at: new Date().toISOString(), type: "log", event: {} };
  expect((await client.from("studio_run_events").insert(row)).error?.code).toBe("42501");
  await client.from("studio_runs").update({ status: "completed" }).eq("id", id);
  await client.from("studio_runs").delete().eq("id", id);
  expect((await client.from("studio_runs").update({ lease_until: null }).eq("id", id)).error?.code).toBe("42501");
  expect(await runRow(id)).toMatchObject({ status: "queued" });
});

it("keeps to the limits of a workflow and of its owner, however many ask", async () => {
  await emptyQueue();
  const { workflow, slug } = await publishOne();
  const set = (limits: object) =>
    user.client.rpc("studio_set_publication", { p_workflow_id: workflow, p_limits: limits, p_on_failure: null });
  await set({ concurrent: 2 });
  for (let count = 0; count < 5; count += 1) await start(slug);
  const claims = await Promise.all(["a", "b", "c", "d"].map((worker) => claim(worker)));
  expect(claims.filter(Boolean)).toHaveLength(2);
  await set({});
  expect(await claim("e")).toBeDefined();
  await set({ perMinute: 3 });
  expect(await claim("f")).toBeUndefined();
  await set({});
  for (let count = 0; count < 50; count += 1) await start(slug);
  let running = 3;
  while (await claim("g")) running += 1;
  expect(running).toBe(50);
});

it("asks for the end of what runs, ends what never began, and says so to the worker", async () => {
  await emptyQueue();
  const { slug } = await publishOne();
  const cancel = async (id: string) => (await user.client.rpc("studio_cancel_run", { p_run_id: id })).data as unknown;
  const first = await start(slug);
  expect(await cancel(first.id)).toBe("cancelled");
  const second = await start(slug);
  await claim();
  expect(await cancel(second.id)).toBe("running");
  expect(await call("studio_append_run_events", second.id, 1, "[]", 60_000)).toEqual({ state: "cancelled" });
  expect(await call("studio_beat", "one", 1, JSON.stringify([{ id: second.id, attempt: 1 }]), 60_000)).toMatchObject({
    cancelled: [second.id],
  });
  expect((await other.client.rpc("studio_cancel_run", { p_run_id: second.id })).error?.message).toContain(
    "run_not_found",
  );
});

it("S82 a wait holds no worker, goes on with its one decision, and expires", async () => {
  await emptyQueue();
  const { slug } = await publishOne();
  const { id } = await start(slug);
  await claim();
  const ask = (callId: string, expires: string | null) =>
    call("studio_ask", id, 1, callId, "approval", JSON.stringify({ toolName: "send" }), expires);
  expect(await ask("call-1", null)).toBe("ok");
  expect(await call("studio_release_run", id, 1, JSON.stringify([event(0)]), "waiting")).toBe("waiting");
  expect(await claim()).toBeUndefined();
  const decide = async (by: SignedIn, callId: string) =>
    (await by.client.rpc("studio_decide_wait", { p_run_id: id, p_call_id: callId, p_decision: { approved: true } }))
      .data as unknown;
  expect(await decide(other, "call-1")).toBeNull();
  expect(await decide(user, "call-1")).toBe("decided");
  expect(await decide(user, "call-1")).toBe("decided-elsewhere");
  expect(await claim()).toMatchObject({ id, attempt: 2 });
  await call("studio_ask", id, 2, "call-2", "approval", "{}", "2020-01-01T00:00:00Z");
  const ended = event(1, { type: "approval-end", callId: "call-1" });
  expect(await call("studio_release_run", id, 2, JSON.stringify([ended]), "waiting")).toBe("waiting");
  expect(await decide(user, "call-2")).toBe("expired");
  expect(await call("studio_expire_waits", user.userId)).toBe(1);
  expect(await claim()).toMatchObject({ id, attempt: 3 });
});

it("a decision that comes while the worker lets go of the run is not lost", async () => {
  await emptyQueue();
  const { slug } = await publishOne();
  const { id } = await start(slug);
  await claim();
  await call("studio_ask", id, 1, "call-1", "approval", "{}", null);
  await user.client.rpc("studio_decide_wait", { p_run_id: id, p_call_id: "call-1", p_decision: { approved: false } });
  expect(await call("studio_release_run", id, 1, "[]", "waiting")).toBe("queued");
});

it("a run with which worker after worker goes away fails with words, and is kept", async () => {
  await emptyQueue();
  const { slug } = await publishOne();
  const { id } = await start(slug);
  for (let count = 0; count < 3; count += 1) {
    expect(await claim("one", { mostLost: 3 })).toMatchObject({ id });
    await call("studio_drop_worker", "one");
  }
  expect(await claim("one", { mostLost: 3 })).toBeUndefined();
  expect(await call("studio_fail_lost_runs", user.userId, 3)).toBe(1);
  expect(await runRow(id)).toMatchObject({ status: "failed", error: { code: "internal" } });
});

it("S96 limits that cannot be read keep their owner's runs from being taken, and nobody else's", async () => {
  await emptyQueue();
  const { workflow, slug } = await publishOne();
  await start(slug);
  // By RPC it is refused; it may stand from before.
  await stack.sql(`update studio_publications set limits = '{"concurrent": "many"}' where workflow_id = '${workflow}'`);
  const theirs = String((await plant(stack, "studio_workflows", other)).id);
  const others = await publish(theirs, `theirs-${theirs}`.slice(0, 40), { nodes: {} }, { by: other });
  const { id } = await start(others.slug, null, other);
  expect(await claim()).toMatchObject({ id });
  const problems = (await user.client.rpc("studio_chore_problems")).data as unknown;
  expect(problems).toMatchObject([{ chore: "claims", problem: expect.stringContaining('"many"') }]);
  expect((await other.client.rpc("studio_chore_problems")).data).toEqual([]);
  await stack.sql("delete from private.studio_chore_problems");
});

it("S77 counts calls under way against the caps of a run, a day and a month", async () => {
  await emptyQueue();
  const { workflow, slug } = await publishOne();
  await user.client.rpc("studio_set_publication", {
    p_workflow_id: workflow,
    p_limits: { runUsd: 1, dayUsd: 1.5 },
    p_on_failure: null,
  });
  const first = await start(slug);
  const second = await start(slug);
  await claim();
  await claim();
  const book = (id: string, usd: number) => call("studio_append_run_events", id, 1, "[]", 60_000, usd);
  expect(await book(first.id, 0.9)).toEqual({ state: "ok" });
  expect(await book(second.id, 0.7)).toEqual({ state: "ok", cap: "day" });
  // The call was cheaper than it might have been.
  await book(first.id, 0.2);
  expect(await book(second.id, 0.7)).toEqual({ state: "ok" });
  expect(await book(first.id, 1.1)).toEqual({ state: "ok", cap: "run" });
});

it("follows the schedules of the live version, keeps what a person switched off, and starts each time once", async () => {
  await emptyQueue();
  const schedule = { nodeId: "s", cron: "0 8 * * *", timeZone: "Europe/Berlin", missed: "once", input: { a: 1 } };
  const { workflow, slug } = await publishOne({ nodes: {} }, [schedule]);
  const triggers = () =>
    stack.sql<{ id: string; cron: string; enabled: boolean }>(
      "select id, cron, enabled, next_at from public.studio_triggers where workflow_id = $1",
      [workflow],
    );
  const [trigger] = await triggers();
  const fire = () => call("studio_fire_trigger", trigger?.id, "2026-03-29T06:00:00Z", "2026-03-30T06:00:00Z", null);
  const id = await fire();
  expect(await runRow(String(id))).toMatchObject({
    source: "schedule",
    input: { value: { a: 1, scheduledAt: "2026-03-29T06:00:00Z" } },
  });
  expect(await fire()).toBe(id);
  await user.client.rpc("studio_switch_trigger", { p_trigger_id: trigger?.id, p_enabled: false });
  await publish(workflow, slug, { nodes: { x: 1 } }, { schedules: [{ ...schedule, cron: "0 9 * * *" }] });
  expect(await triggers()).toMatchObject([{ id: trigger?.id, cron: "0 9 * * *", enabled: false, next_at: null }]);
  await publish(workflow, slug, { nodes: { y: 1 } });
  expect(await triggers()).toEqual([]);
});

it("tells the owner of a run when it changes, and nobody else", async () => {
  const { slug } = await publishOne();
  const { id } = await start(slug);
  const ask = (run: string, headers: Record<string, string>) =>
    fetch(`${stack.url}/live/v1/runs/${run}/changes`, { headers: { apikey: stack.key, ...headers } });
  const own = { authorization: `Bearer ${user.accessToken}` };
  expect((await ask(id, {})).status).toBe(401);
  expect((await ask(id, { authorization: `Bearer ${other.accessToken}` })).status).toBe(404);
  expect((await ask("not-an-id", own)).status).toBeGreaterThanOrEqual(400);
  const open = await Promise.all(Array.from({ length: 20 }, () => ask(id, own)));
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  expect((await ask(id, own)).status).toBe(429);
  await Promise.all(open.map(({ body }) => body?.cancel()));
  // Those that were closed make room.
  await expect.poll(async () => (await ask(id, own)).status).toBe(200);
  await emptyQueue();
});
