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
