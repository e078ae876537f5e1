import { afterAll, beforeAll, expect, it } from "vitest";
import { killDatabase } from "../supabase/local/testing/faults.ts";
import { killRounds, overlaps } from "./testing/kill-rounds.ts";
import { repeatedSteps } from "./testing/repeated-steps.ts";
import { type Hit, orderOf } from "./testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "./testing/worker-world.ts";

const patience = 600_000;

let world: WorkerWorld;

beforeAll(async () => {
  world = await startWorkerWorld({ stepMs: 15, workers: 2 });
  for (const afterCrash of ["ask", "fail"] as const) {
    await world.publish(world.stepAgent({ name: afterCrash, afterCrash }));
  }
  await world.publish(world.stepAgent({ name: "steps" }));
}, patience);
afterAll(() => world.stop());

it(
  "S80 ten kills at random moments: every run completes, no finished step is repeated, none is run by two",
  async () => {
    const { faults, attempts } = await killRounds(world, { kills: 10, runs: 30, steps: 4 });
    expect(faults).toEqual([]);
    expect(Math.max(...attempts)).toBeGreaterThan(1);
  },
  patience,
);

it.each(["ask", "fail"] as const)(
  "S97 ten kills at random moments: with %s no call is made twice, and every run completes",
  async (afterCrash) => {
    const { faults } = await killRounds(world, { kills: 10, runs: 20, steps: 4, slug: afterCrash, afterCrash });
    expect(faults).toEqual([]);
  },
  patience,
);

it(
  "S80 a worker that was stopped and wakes up writes nothing of a run that another has by then",
  async () => {
    // In the middle of a call: a process that is stopped right after it asked whether it may call makes that one call more.
    let isStopped = false;
    let holder: { id: string; pid: number } | undefined;
    world.servers.onToolHit = ({ run, step }) => {
      if (run !== "zombie" || step < 5 || !holder) return;
      world.servers.onToolHit = undefined;
      process.kill(holder.pid, "SIGSTOP");
      isStopped = true;
    };
    const id = await world.start("steps", { message: orderOf("zombie", 30) });
    const { id: stoppedWorker, pid } = await world.eventually(async () => {
      const row = await world.row(id);
      const worker = world.stack.workers.statuses().find((one) => one.id === row["worker"]);
      return worker?.pid === undefined ? undefined : { id: worker.id, pid: worker.pid };
    });
    holder = { id: stoppedWorker, pid };
    await world.eventually(() => isStopped || undefined);
    try {
      const row = await world.until(id, "completed");
      expect(row["worker"]).not.toBe(stoppedWorker);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    const [{ now } = { now: "" }] = await world.stack.sql<{ now: string }>("select clock_timestamp() as now");
    // It is awake again.
    await world.eventually(async () => {
      const seen = await world.stack.sql("select from private.studio_workers where id = $1 and seen_at > $2", [
        stoppedWorker,
        now,
      ]);
      return seen[0];
    });
    const events = await world.events(id);
    expect(events.at(-1)?.type).toBe("run-end");
    expect(events.filter(({ type }) => type === "tool-call-end")).toHaveLength(30);
    expect(repeatedSteps(events, "zombie", world.servers)).toEqual([]);
    expect(overlaps(events)).toEqual([]);
  },
  patience,
);

it(
  "S80 S97 a studio that is stopped and started in the middle of runs goes on with them, and asks only about a tool call that had no answer",
  async () => {
    // Answers that never come: what is asked does not depend on how long the studio takes to stop.
    const never = new Promise<void>(() => {});
    const held = new Set<string>();
    const hold = (kind: string) => (hit: Hit) => {
      if (!hit.run.startsWith(kind) || hit.step !== 3 || held.has(hit.run)) return undefined;
      held.add(hit.run);
      return never;
    };
    world.servers.onModelHit = hold("thinking");
    world.servers.onToolHit = hold("writing");
    const thinking = await world.start("ask", { message: orderOf("thinking", 6) });
    const writing = await world.start("ask", { message: orderOf("writing", 6) });
    await world.eventually(() => (held.size === 2 ? true : undefined));
    await world.restart();
    // A question would wait for ever.
    expect(await world.until(thinking, "completed", "waiting")).toMatchObject({ status: "completed", attempt: 2 });
    expect(await world.until(writing, "completed", "waiting")).toMatchObject({ status: "waiting", attempt: 2 });
    await world.decideAll({ approved: true });
    await world.until(writing, "completed");
    const asked = async (id: string) =>
      (await world.events(id)).flatMap((event) =>
        event.type === "approval-wait" ? [{ again: event.again, input: event.input }] : [],
      );
    expect(await asked(thinking)).toEqual([]);
    expect(await asked(writing)).toEqual([{ again: 1, input: { run: "writing", step: "3" } }]);
    for (const [id, run] of [
      [thinking, "thinking"],
      [writing, "writing"],
    ] as const) {
      const events = await world.events(id);
      expect(events.filter(({ type }) => type === "tool-call-end")).toHaveLength(6);
      expect(repeatedSteps(events, run, world.servers)).toEqual([]);
    }
  },
  patience,
);

it(
  "S80 a database that is killed in the middle of a run costs it nothing",
  async () => {
    const id = await world.start("steps", { message: orderOf("database", 20) });
    for (const after of [3, 9]) {
      await world.eventually(async () => {
        const done = (await world.events(id)).filter(({ type }) => type === "tool-call-end");
        return done.length >= after ? true : undefined;
      });
      const { pid } = world.stack.database;
      killDatabase(world.stack);
      await world.eventually(async () => {
        const { database } = world.stack;
        return database.state === "ready" && database.pid !== pid ? true : undefined;
      });
    }
    const row = await world.until(id, "completed", "failed");
    expect(row).toMatchObject({ status: "completed", error: null });
    const events = await world.events(id);
    expect(events.filter(({ type }) => type === "tool-call-end")).toHaveLength(20);
    expect(repeatedSteps(events, "database", world.servers)).toEqual([]);
  },
  patience,
);
