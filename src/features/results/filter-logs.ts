import type { EventOf } from "../../engine/run/events.ts";

/** From the least to the most important. */
export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** The lines of at least this level whose message or data contains the text, in any case. */
export function filterLogs(logs: readonly EventOf<"log">[], level: LogLevel, search: string): EventOf<"log">[] {
  const least = logLevels.indexOf(level);
  const wanted = search.trim().toLowerCase();
  return logs.filter((log) => {
    if (logLevels.indexOf(log.level) < least) return false;
    if (wanted === "") return true;
    if (log.message.toLowerCase().includes(wanted)) return true;
    return log.data !== undefined && JSON.stringify(log.data).toLowerCase().includes(wanted);
  });
}
