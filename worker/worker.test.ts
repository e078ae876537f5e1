import { afterAll, beforeAll, expect, it } from "vitest";
import { repeatedSteps } from "./testing/repeated-steps.ts";
import { orderOf } from "./testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "./testing/worker-world.ts";

let world: WorkerWorld;

beforeAll(async () => {
  world = await startWorkerWorld();
});
afterAll(() => world.stop());

it("starts its process when the first workflow is published, and runs it as the account that owns it", async () => {
  expect(world.stack.workers.statuses()).toEqual([{ id: "studio-1", state: "idle", restarts: 0, asked: 0 }]);
  await world.publish(world.stepAgent({ name: "first", memory: true }));
  const id = await world.start("first", { message: orderOf("a", 2) });
  const row = await world.until(id, "completed");
  expect(row).toMatchObject({ attempt: 1, worker: "studio-1", output: { value: { response: "a is done" } } });
  expect(row["usage"]).toMatchObject([{ model: "steps-1", calls: 3 }]);
  const events = await world.events(id);
  expect(events[0]).toMatchObject({ type: "run-start", seq: 0 });
  expect(events.at(-1)).toMatchObject({ type: "run-end", outcome: "completed" });
  expect(world.servers.toolHits.map(({ step }) => step)).toEqual([0, 1]);
  const [call] = events.filter((event) => event.type === "tool-call-start");
  expect(world.servers.toolHits[0]?.key).toBe(`${id}/${call?.type === "tool-call-start" ? call.callId : ""}`);
  const memory = await world.user.client.from("studio_agent_memory").select("role");
  expect(memory.data?.length).toBeGreaterThan(1);
});

it("S80 a run whose worker is killed in the middle goes on by itself: nothing that was finished is done again", async () => {
  await world.publish(world.stepAgent({ name: "killed", memory: true }));
  const id = await world.start("killed", { message: orderOf("b", 6) });
  await world.eventually(async () => {
    const done = (await world.events(id)).filter(({ type }) => type === "tool-call-end");
    return done.length >= 2 ? done : undefined;
  });
  process.kill(await world.workerPid(), "SIGKILL");
  const row = await world.until(id, "completed");
  expect(row).toMatchObject({ attempt: 2, output: { value: { response: "b is done" } } });
  const events = await world.events(id);
  expect(events.filter(({ type }) => type === "run-resume")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "tool-call-end")).toHaveLength(6);
  expect(repeatedSteps(events, "b", world.servers)).toEqual([]);
  const turns = await world.stack.sql<{ role: string; content: string }>(
    "select role, content from public.studio_agent_memory where content like '%run b with%'",
  );
  expect(turns).toHaveLength(1);
});
