import { setTimeout as delay } from "node:timers/promises";
import { afterCrashChoices } from "../src/engine/document/after-crash.ts";
import { runWorkflow } from "../src/engine/run/run-workflow.ts";
import { nodeRegistry } from "../src/nodes/index.ts";
import { signAccountToken } from "../worker/account-tokens.ts";
import { RunLife } from "../worker/run-life.ts";
import { createServerHost } from "../worker/server-host.ts";
import { killRounds } from "../worker/testing/kill-rounds.ts";
import { orderOf } from "../worker/testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "../worker/testing/worker-world.ts";
import { loaderOf } from "../worker/version-documents.ts";
import { limitRow, median, type Bench, type Row, time } from "./measure.ts";
import { residentBytes } from "./resident-memory.ts";

const starts = 40;
const atOnce = 4;
const runs = 24;
const stepsOfRun = 3;
const kills = 50;
const killedRuns = 150;
const idleMs = 20_000;

/** Published workflows on the embedded studio's worker: start, throughput, kills, and what an idle one costs. */
export const workersBench: Bench = {
  id: "workers",
  title: "Workers: published workflows on the embedded studio",
  async run() {
    const world = await startWorkerWorld({ stepMs: 20 });
    try {
      const document = world.stepAgent({ name: "steps" });
      await world.publish(document);
      const pid = await world.workerPid();
      await world.until(await world.start("steps", { message: orderOf("warm", 1) }), "completed");
      return [
        ...(await startLatency(world)),
        await throughput(world, document),
        ...(await idleCosts(world, pid)),
        ...(await killed()),
      ];
    } finally {
      await world.stop();
    }
  },
};

async function startLatency(world: WorkerWorld): Promise<Row[]> {
  const waits: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    const id = await world.start("steps", { message: orderOf(`s${count}`, 0) });
    await world.until(id, "completed");
    const [row] = await world.stack.sql<{ ms: number }>(
      "select extract(epoch from started_at - queued_at)::float8 * 1000 as ms from studio_runs where id = $1",
      [id],
    );
    waits.push(row?.ms ?? Infinity);
  }
  const sorted = waits.toSorted((one, other) => one - other);
  return [
    limitRow("from queued to running, median", median(waits), "ms", 50),
    limitRow("from queued to running, p95", sorted[Math.floor(sorted.length * 0.95)] ?? Infinity, "ms", 300),
  ];
}

/** Against the same engine and host in a bare loop: nothing is queued or stored there. */
async function throughput(world: WorkerWorld, document: ReturnType<WorkerWorld["stepAgent"]>): Promise<Row> {
  const ours = await time(async () => {
    const ids: string[] = [];
    for (let count = 0; count < runs; count += 1) {
      ids.push(await world.start("steps", { message: orderOf(`t${count}`, stepsOfRun) }));
    }
    for (const id of ids) await world.until(id, "completed");
  });
  const token = await signAccountToken(world.user.userId, world.stack.jwtSecret);
  const access = {
    url: world.stack.innerUrl,
    publishableKey: world.stack.key,
    accessToken: () => Promise.resolve(token),
  };
  let next = 0;
  const bareLoop = async () => {
    while (next < runs) {
      const name = `bare${(next += 1)}`;
      const host = createServerHost({
        access,
        owner: world.user.userId,
        life: new RunLife({ heldUntil: Infinity, renew: () => Promise.resolve() }),
        workflows: loaderOf(document, {}),
        approve: () => Promise.resolve({ approved: false, reason: "", unasked: true }),
        checkpoint: () => Promise.resolve(),
      });
      const input = { message: orderOf(name, stepsOfRun) };
      for await (const event of runWorkflow(document, { registry: nodeRegistry, host, input, scratch: false })) {
        if (event.type === "run-end" && event.outcome !== "completed") throw new Error(JSON.stringify(event.error));
      }
    }
  };
  const bare = await time(() => Promise.all(Array.from({ length: atOnce }, bareLoop)));
  const perSecond = (ms: number) => (runs / ms) * 1_000;
  const ratio = perSecond(ours) / perSecond(bare);
  return {
    name: `runs of ${stepsOfRun * 2 + 1} steps of 20 ms, ${atOnce} at once`,
    value: perSecond(ours),
    unit: "runs/s",
    baseline: perSecond(bare),
    ratio,
    goal: "≥ 0.7 × bare",
    met: ratio >= 0.7,
  };
}

async function idleCosts(world: WorkerWorld, pid: number): Promise<Row[]> {
  const asked = () => world.stack.workers.statuses().reduce((sum, worker) => sum + worker.asked, 0);
  const before = asked();
  await delay(idleMs);
  const rows = [limitRow("statements of an idle worker", (asked() - before) / (idleMs / 1_000), "/s", 12)];
  if (process.platform === "linux") rows.push(limitRow("memory of a worker", residentBytes(pid) / 1e6, "MB", 250));
  return rows;
}

/** For each setting of "After a crash": with ask and fail a call that is made twice is a fault. */
async function killed(): Promise<Row[]> {
  const world = await startWorkerWorld({ stepMs: 20, workers: 2 });
  try {
    const rows: Row[] = [];
    for (const afterCrash of afterCrashChoices) {
      await world.publish(world.stepAgent({ name: afterCrash, afterCrash }));
      const { faults } = await killRounds(world, { kills, runs: killedRuns, steps: 4, slug: afterCrash, afterCrash });
      rows.push(limitRow(`faults in ${kills} kills over ${killedRuns} runs, ${afterCrash}`, faults.length, "", 0));
    }
    return rows;
  } finally {
    await world.stop();
  }
}
