import { setTimeout as delay } from "node:timers/promises";
import type { RunEvent } from "../../src/engine/run/events.ts";
import { repeatedSteps } from "./repeated-steps.ts";
import { orderOf } from "./step-servers.ts";
import type { WorkerWorld } from "./worker-world.ts";

/** Events of an attempt whose time lies after the next attempt began: two wrote the run at once. */
export function overlaps(events: readonly RunEvent[]): RunEvent[] {
  return events.filter((event, index) =>
    events.slice(index + 1).some((later) => later.type === "run-resume" && later.at < event.at),
  );
}

/**
 * Starts runs of the published workflow `steps`, kills a worker again and again at a random moment after it got somewhere,
 * and waits for all runs. Gives what went wrong, in words, and the attempts that the runs took.
 */
export async function killRounds(
  world: WorkerWorld,
  { kills, runs, steps }: { kills: number; runs: number; steps: number },
): Promise<{ faults: string[]; attempts: number[] }> {
  const started = new Map<string, string>();
  for (let count = 0; count < runs; count += 1) {
    started.set(await world.start("steps", { message: orderOf(`k${count}`, steps) }), `k${count}`);
  }
  const progress = async () => {
    const [row] = await world.stack.sql<{ events: number; open: number }>(
      `select (select count(*)::integer from studio_run_events) as events,
         (select count(*)::integer from studio_runs where status in ('queued', 'running')) as open`,
    );
    return row ?? { events: 0, open: 0 };
  };
  for (let count = 0; count < kills; count += 1) {
    const before = await progress();
    if (before.open === 0) break;
    await world.eventually(async () => {
      const now = await progress();
      return now.events > before.events || now.open === 0 ? now : undefined;
    });
    await delay(Math.random() * 300);
    const running = world.stack.workers.statuses().filter(({ state }) => state === "running");
    const victim = running[Math.floor(Math.random() * running.length)];
    if (victim?.pid !== undefined) process.kill(victim.pid, "SIGKILL");
  }
  const faults: string[] = [];
  const attempts: number[] = [];
  for (const [id, name] of started) {
    const row = await world.until(id, "completed", "failed");
    attempts.push(Number(row["attempt"]));
    const events = await world.events(id);
    if (row["status"] !== "completed") faults.push(`${name} failed: ${JSON.stringify(row["error"])}`);
    const ended = events.filter(({ type }) => type === "tool-call-end").length;
    if (ended !== steps) faults.push(`${name} has ${ended} finished steps instead of ${steps}`);
    faults.push(...repeatedSteps(events, name, world.servers).map((what) => `${what} was made again`));
    if (overlaps(events).length > 0) faults.push(`${name} was run by two`);
  }
  return { faults, attempts };
}
