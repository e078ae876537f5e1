import { setTimeout as delay } from "node:timers/promises";
import type { AfterCrash } from "../../src/engine/document/after-crash.ts";
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

interface KillRounds {
  kills: number;
  runs: number;
  steps: number;
  /** The published workflow. */
  slug?: string;
  /** What its tool says of calls that were interrupted; a person who is asked says no. */
  afterCrash?: AfterCrash;
}

/**
 * Starts runs of a published workflow, kills a worker again and again at a random moment after it got somewhere, and waits for all
 * runs. Gives what went wrong, in words, the attempts that the runs took, and how many calls were made twice, of those that may be.
 */
export async function killRounds(
  world: WorkerWorld,
  { kills, runs, steps, slug = "steps", afterCrash = "repeat" }: KillRounds,
): Promise<{ faults: string[]; attempts: number[]; repeats: number }> {
  const started = new Map<string, string>();
  for (let count = 0; count < runs; count += 1) {
    const name = `${slug}-k${count}`;
    started.set(await world.start(slug, { message: orderOf(name, steps) }), name);
  }
  const progress = async () => {
    const [row] = await world.stack.sql<{ events: number; open: number }>(
      `select (select count(*)::integer from studio_run_events) as events,
         (select count(*)::integer from studio_runs where status in ('queued', 'running', 'waiting')) as open`,
    );
    return row ?? { events: 0, open: 0 };
  };
  const over = new AbortController();
  const answering = (async () => {
    while (!over.signal.aborted) {
      await world.decideAll({ approved: false, reason: "It has arrived." });
      await delay(100);
    }
  })();
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
  let repeats = 0;
  for (const [id, name] of started) {
    const row = await world.until(id, "completed", "failed");
    attempts.push(Number(row["attempt"]));
    const events = await world.events(id);
    if (row["status"] !== "completed") faults.push(`${name} failed: ${JSON.stringify(row["error"])}`);
    const ended = events.filter(({ type }) => type === "tool-call-end").length;
    if (ended !== steps) faults.push(`${name} has ${ended} finished steps instead of ${steps}`);
    faults.push(...repeatedSteps(events, name, world.servers).map((what) => `${what} was made again`));
    if (overlaps(events).length > 0) faults.push(`${name} was run by two`);
    const twice = madeTwice(name, steps, world.servers);
    repeats += twice.length;
    const marked = events.filter((event) => event.type === "write-start" && event.again !== undefined).length;
    if (afterCrash !== "repeat") faults.push(...twice.map((step) => `call ${step} of ${name} was made twice`));
    else if (marked < twice.length) faults.push(`${name} made ${twice.length} calls twice and marked ${marked}`);
  }
  over.abort();
  await answering;
  return { faults, attempts, repeats };
}

/** The steps of a run whose request came more than once. */
function madeTwice(run: string, steps: number, { toolHits }: WorkerWorld["servers"]): number[] {
  const came = (step: number) => toolHits.filter((hit) => hit.run === run && hit.step === step).length;
  return Array.from({ length: steps }, (_, step) => step).filter((step) => came(step) > 1);
}
