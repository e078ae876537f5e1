import type { ScheduledTrigger } from "../../../services/services.ts";
import { isUnderWay } from "../../../state/run/run-look.ts";

/** Milliseconds until a worker has set what comes after a time that has passed, or the first time of a new version. */
const workerMs = 2_000;

/** Where no worker answers, the list is not read all the time. */
const patientMs = 30_000;

/** Milliseconds between two looks at runs that are queued or running. */
const runMs = 5_000;

/** Longer waits than a browser's timers count. */
const longestMs = 86_400_000;

/** Milliseconds until the times and the last runs of these schedules are out of date; false when they stay as they are. */
export function nextLook(schedules: readonly ScheduledTrigger[], now: number): number | false {
  const waits = schedules.flatMap((schedule) => [...untilTime(schedule, now), ...untilEnd(schedule)]);
  return waits.length === 0 ? false : Math.min(...waits, longestMs);
}

function untilTime({ enabled, problem, nextAt }: ScheduledTrigger, now: number): number[] {
  if (!enabled || problem !== null) return [];
  if (nextAt === null) return [workerMs];
  const untilNext = Date.parse(nextAt) - now;
  return [untilNext < -patientMs ? patientMs : Math.max(untilNext, 0) + workerMs];
}

/** A run that waits, for a person or a time, may do so for days. */
function untilEnd({ lastRun }: ScheduledTrigger): number[] {
  if (lastRun === null || !isUnderWay(lastRun.status)) return [];
  return [lastRun.status === "waiting" ? patientMs : runMs];
}
