import { afterAll, beforeAll, expect, it } from "vitest";
import { orderOf } from "./testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "./testing/worker-world.ts";

let world: WorkerWorld;

beforeAll(async () => {
  world = await startWorkerWorld();
});
afterAll(() => world.stop());

/** The agent on a model whose prices were entered at its node. */
function pricedAgent(name: string) {
  const document = world.stepAgent({ name });
  const model = document.nodes["model"];
  if (model) model.config = { ...model.config, inputPrice: 10, outputPrice: 1_000, maxTokens: 1_000 };
  return document;
}

it("S77 makes no model call that could pass the spending limit of a run, and says which limit", async () => {
  // Each call may cost a dollar at most, and costs one cent.
  await world.publish(pricedAgent("capped"), { runUsd: 1.02 });
  const id = await world.start("capped", { message: orderOf("capped", 9) });
  const row = await world.until(id, "failed");
  expect(row["error"]).toMatchObject({ code: "budget", message: expect.stringContaining("$1.02 for one run") });
  const hits = world.servers.modelHits.filter(({ run }) => run === "capped").length;
  expect(hits).toBeGreaterThan(0);
  expect(hits).toBeLessThan(9);
  expect(Number(row["cost_usd"])).toBeLessThan(1);
});

it("S92 parallel runs keep a day's limit together, and the vendor is told how long an answer may be", async () => {
  const document = pricedAgent("shared");
  const model = document.nodes["model"];
  if (model) model.config = { ...model.config, maxTokens: null };
  // A call costs one cent and could cost four dollars; there is money for some thirty of more than fifty that are wanted.
  await world.publish(document, { dayUsd: 0.3 });
  const before = world.servers.vendor.seen.length;
  const ids = await Promise.all(
    Array.from({ length: 6 }, () => world.start("shared", { message: orderOf("shared", 9) })),
  );
  const rows = await Promise.all(ids.map((id) => world.until(id, "completed", "failed")));
  const cost = rows.reduce((sum, row) => sum + Number(row["cost_usd"]), 0);
  expect(cost).toBeLessThanOrEqual(0.3);
  expect(cost).toBeGreaterThan(0.1);
  const failed = rows.filter((row) => row["status"] === "failed");
  expect(failed.length).toBeGreaterThan(0);
  for (const { error } of failed) expect(error).toMatchObject({ code: "budget" });
  const limits = world.servers.vendor.seen.slice(before).map(({ body }) => JSON.parse(body)["max_tokens"] as number);
  expect(Math.max(...limits)).toBeLessThanOrEqual(300);
  expect(Math.min(...limits)).toBeGreaterThan(0);
  const [left] = await world.stack.sql<{ usd: string; booked: string }>(
    `select (select sum(usd) from private.studio_spending where workflow_id = $1) as usd,
      (select count(*) from private.studio_booked_calls where workflow_id = $1) as booked`,
    [document.id],
  );
  expect(Number(left?.usd)).toBeCloseTo(cost, 6);
  expect(Number(left?.booked)).toBe(0);
});

it("S92 starts no run of a model without a known price under a limit, but of a version of before, which it marks", async () => {
  const document = world.stepAgent({ name: "unpriced" });
  await world.publish(document, { dayUsd: 1 });
  const refused = await world.until(await world.start("unpriced", { message: orderOf("unpriced", 1) }), "failed");
  expect(refused["error"]).toMatchObject({ code: "budget", message: expect.stringContaining("steps-1") });
  const hits = () => world.servers.modelHits.filter(({ run }) => run === "unpriced").length;
  expect(hits()).toBe(0);
  await world.stack.sql("update public.studio_published set allows_unknown_prices = true where workflow_id = $1", [
    document.id,
  ]);
  const id = await world.start("unpriced", { message: orderOf("unpriced", 1) });
  await world.until(id, "completed");
  expect(hits()).toBe(2);
  const warned = (await world.events(id)).filter(({ type }) => type === "warning");
  expect(warned).toMatchObject([{ message: expect.stringContaining("does not count its calls") }]);
  const { data } = await world.user.client.from("studio_publications").select("unknown_prices").eq("slug", "unpriced");
  expect(data).toEqual([{ unknown_prices: ["steps-1"] }]);
});

it("stops a run that takes longer than it may, and says that it failed", async () => {
  await world.publish(world.stepAgent({ name: "timed" }), { timeoutSeconds: 0.3 });
  const id = await world.start("timed", { message: orderOf("timed", 48) });
  expect(await world.until(id, "failed")).toMatchObject({ error: { code: "timeout" } });
  expect((await world.events(id)).at(-1)).toMatchObject({ type: "run-end", outcome: "failed" });
});

it("a run whose log is masked keeps its place while it waits; without its worker it fails with words", async () => {
  const document = world.stepAgent({ name: "masked", approval: "ask" });
  document.privacy = { mask: ["emails"], patterns: [] };
  await world.publish(document);
  const start = () => world.start("masked", { message: `${orderOf("masked", 1)} for ada@example.test` });
  const asked = (id: string) =>
    world.eventually(async () => {
      const waits = await world.stack.sql<{ call_id: string }>(
        "select call_id from studio_run_waits where run_id = $1",
        [id],
      );
      return waits[0]?.call_id;
    });
  const decided = await start();
  const callId = await asked(decided);
  await world.user.client.rpc("studio_decide_wait", {
    p_run_id: decided,
    p_call_id: callId,
    p_decision: { approved: true },
  });
  expect(await world.until(decided, "completed")).toMatchObject({ attempt: 1 });
  expect(JSON.stringify(await world.events(decided))).not.toContain("ada@example.test");

  const lost = await start();
  await asked(lost);
  process.kill(await world.workerPid(), "SIGKILL");
  const row = await world.until(lost, "failed");
  expect(row["error"]).toMatchObject({ message: expect.stringContaining("Its log is masked") });
});

it("goes on with a failed run at the step that failed", async () => {
  await world.publish(world.stepAgent({ name: "retried" }));
  world.servers.refused.add("retried/3");
  const input = { message: orderOf("retried", 6) };
  const first = await world.start("retried", input);
  expect(await world.until(first, "failed")).toMatchObject({ error: { code: "model_error" } });
  world.servers.refused.clear();
  const { data } = await world.user.client.rpc("studio_start_run", {
    p_workflow: "retried",
    p_target: "live",
    p_input: input,
    p_forked_from: { runId: first },
  });
  const again = String((data as { id: string }).id);
  expect(await world.until(again, "completed")).toMatchObject({ output: { value: { response: "retried is done" } } });
  const events = await world.events(again);
  expect(events[0]).toMatchObject({ type: "run-start", forkedFrom: { runId: first } });
  const steps = world.servers.toolHits.filter(({ run }) => run === "retried").map(({ step }) => step);
  expect(steps).toEqual([0, 1, 2, 3, 4, 5]);
});
