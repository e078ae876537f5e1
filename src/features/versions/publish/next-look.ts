import type { ScheduledTrigger } from "../../../services/services.ts";

/** Milliseconds until a worker has set what comes after a time that has passed, or the first time of a new version. */
const workerMs = 2_000;

/** Where no worker answers, the list is not read all the time. */
const patientMs = 30_000;

/** Longer waits than a browser's timers count. */
const longestMs = 86_400_000;

/** Milliseconds until the times of these schedules are out of date; false when they stay as they are. */
export function nextLook(schedules: readonly ScheduledTrigger[], now: number): number | false {
  const waits = schedules.flatMap(({ enabled, problem, nextAt }) => {
    if (!enabled || problem !== null) return [];
    if (nextAt === null) return [workerMs];
    const untilNext = Date.parse(nextAt) - now;
    return [untilNext < -patientMs ? patientMs : Math.max(untilNext, 0) + workerMs];
  });
  return waits.length === 0 ? false : Math.min(...waits, longestMs);
}
