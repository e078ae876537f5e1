import { Cron } from "croner";
import { z } from "zod/mini";

/** A slot that starts later than this counts as missed. */
const lateMs = 60_000;

/** Triggers of an owner that are looked at in one go; the rest come with the next. */
const triggersAtOnce = 100;
/** After this long the turn of an owner whose triggers fail is over. */
const failingMs = 2_000;

const dueTrigger = z.object({
  id: z.string(),
  cron: z.string(),
  time_zone: z.string(),
  missed: z.enum(["skip", "once"]),
  next_at: z.nullable(z.coerce.date()),
});

type DueTrigger = z.infer<typeof dueTrigger>;

/** What the schedules ask of the database: the statements `dueTriggers` and `fireTrigger`. */
export interface ScheduleDoor {
  ask(
    statement: "dueTriggers" | "fireTrigger",
    parameters: readonly (string | number | null)[],
  ): Promise<Record<string, unknown>[]>;
}

/** What becomes of a trigger: the time that a run starts for (none: null), the time that comes next, or why none does. */
export interface Firing {
  slot: Date | null;
  next: Date | null;
  problem: string | null;
}

/**
 * Starts the runs of an owner's schedules that have come due and works out when each comes next. Several workers may do this at
 * once: the time is the run's key, so that it starts once. One that fails keeps none of the others from starting; the first
 * failure is thrown in the end. Gives whether more may be due. `now` is in milliseconds since 1970.
 */
export async function fireSchedulesOf(owner: string, door: ScheduleDoor, now: number): Promise<boolean> {
  const rows = await door.ask("dueTriggers", [owner, triggersAtOnce]);
  const began = Date.now();
  const failures: unknown[] = [];
  for (const row of rows) {
    try {
      const trigger = dueTrigger.parse(row);
      const { slot, next, problem } = firingOf(trigger, now);
      const times = [slot?.toISOString() ?? null, next?.toISOString() ?? null] as const;
      await door.ask("fireTrigger", [trigger.id, ...times, problem]);
    } catch (error) {
      failures.push(error);
      if (Date.now() - began > failingMs) break;
    }
  }
  if (failures.length > 0) throw failures[0];
  return rows.length === triggersAtOnce;
}

/** What becomes of a trigger at a moment. One whose next time is not known yet only gets it. */
export function firingOf(trigger: Pick<DueTrigger, "cron" | "time_zone" | "missed" | "next_at">, now: number): Firing {
  try {
    const cron = new Cron(trigger.cron, { timezone: trigger.time_zone, paused: true, mode: "5-part" });
    const next = cron.nextRun(new Date(now));
    if (next === null) return { slot: null, next: null, problem: "This schedule never comes due." };
    return { slot: slotOf(cron, trigger, now), next, problem: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { slot: null, next: null, problem: `This schedule cannot be read: ${reason}`.slice(0, 1_000) };
  }
}

/** The latest time that has come since the trigger was looked at last; one that was missed only where one run stands for all. */
function slotOf(cron: Cron, { next_at, missed }: Pick<DueTrigger, "missed" | "next_at">, now: number): Date | null {
  if (next_at === null || next_at.getTime() > now) return null;
  // A moment later, so that a time that is this very moment counts.
  const [before] = cron.previousRuns(1, new Date(now + 1));
  const latest = before !== undefined && before > next_at ? before : next_at;
  return now - latest.getTime() <= lateMs || missed === "once" ? latest : null;
}
