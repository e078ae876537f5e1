import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
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

it("lasts in the list of runs as long as its events say, which its page shows", async () => {
  await world.publish(world.stepAgent({ name: "timed" }));
  const id = await world.start("timed", { message: orderOf("timed", 1) });
  await world.until(id, "completed");
  const { data } = await world.user.client.from("studio_runs").select("started_at, ended_at").eq("id", id).single();
  const took = Date.parse(data?.ended_at) - Date.parse(data?.started_at);
  const events = await world.events(id);
  expect(took).toBe((events.at(-1)?.at ?? Number.NaN) - (events[0]?.at ?? Number.NaN));
});

it("S97 calls that a killed worker may have made are asked about in the inbox, and their second time is marked", async () => {
  await world.publish(world.stepAgent({ name: "doubtful", afterCrash: "ask" }));
  const killed = new Set<number>();
  let pid = await world.workerPid();
  world.servers.onToolHit = ({ run, step }) => {
    if (run !== "d" || killed.has(step)) return;
    killed.add(step);
    process.kill(pid, "SIGKILL");
  };
  const id = await world.start("doubtful", { message: orderOf("d", 2) });
  for (const step of [0, 1]) {
    const row = await world.eventually(async () => {
      const found = await world.row(id);
      return killed.has(step) && found["status"] === "waiting" ? found : undefined;
    });
    const { data } = await world.user.client.rpc("studio_inbox", { p_limit: 10 });
    const input = { run: "d", step: String(step) };
    expect(data).toMatchObject({ waits: [{ run_id: id, question: { toolName: "step", again: 1, input } }] });
    // What was decided before does not wake it.
    await delay(3_000);
    expect(await world.row(id)).toMatchObject({ status: "waiting", attempt: row["attempt"] });
    pid = await world.workerPid();
    await world.decideAll({ approved: true });
  }
  await world.until(id, "completed");
  world.servers.onToolHit = undefined;
  const ofRun = world.servers.toolHits.filter(({ run }) => run === "d");
  expect(ofRun.map(({ step }) => step)).toEqual([0, 0, 1, 1]);
  expect(new Set(ofRun.map(({ key }) => key)).size).toBe(2);
  const begun = (await world.events(id)).flatMap((event) => (event.type === "write-start" ? [event.again ?? 0] : []));
  expect(begun).toEqual([0, 1, 0, 1]);
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

it("S80 a repetition until a time takes up its turns after a kill, also where the time is over by then", async () => {
  const { host } = world.servers.api;
  await world.publish(
    buildWorkflow({
      id: crypto.randomUUID(),
      name: "until",
      nodes: {
        start: ["manual-trigger"],
        repeat: ["repeat", { until: "{{millis(now) >= json.deadline}}", mostTurns: 1_000, atLimit: "fail" }],
        // The fourth turn says when it is over.
        count: [
          "set-fields",
          {
            fields: {
              turns: "{{json.turns + 1}}",
              deadline: "{{json.turns == 3 ? millis(now) + 500 : json.deadline}}",
            },
          },
        ],
        step: [
          "http-request",
          { method: "POST", url: `http://${host}/step?run=until&step={{json.turns}}`, afterCrash: "repeat" },
        ],
        back: ["set-fields", { from: "{{nodes.count}}", keepInput: false }],
        after: ["set-fields", { fields: { seen: "{{json.turns}}" } }],
      },
      edges: [
        "start.main -> repeat.main",
        "repeat.main -> count.main",
        "count.main -> step.main",
        "step.main -> back.main",
        "repeat.done -> after.main",
      ],
    }),
  );
  const steps = () => world.servers.toolHits.filter(({ run }) => run === "until").map(({ step }) => step);
  const id = await world.start("until", { turns: 0, deadline: Date.now() + 86_400_000 });
  await world.eventually(() => (steps().length >= 4 ? true : undefined));
  process.kill(await world.workerPid(), "SIGKILL");
  // Until the studio is there again, the time is over.
  await world.restart();
  const row = await world.until(id, "completed");
  const turns = Math.max(...steps());
  expect(turns).toBeGreaterThanOrEqual(4);
  expect(row).toMatchObject({ attempt: 2, output: { value: { turns, seen: turns } } });
  // Each turn was made; the one that was broken off was made again, if it was not known to be finished.
  expect([...new Set(steps())].toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: turns }, (_, index) => index + 1),
  );
  expect(steps().length - turns).toBeLessThanOrEqual(1);
}, 600_000);
