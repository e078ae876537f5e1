import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod/mini";
import { systemErrorCode } from "../start-error.ts";

/** Tells a process of this machine from a later one with the same number. */
export const processIdentity = z.object({
  pid: z.int().check(z.positive()),
  /** Null where the system does not say when a process began. */
  processStart: z.nullable(z.string()),
});

export type ProcessIdentity = z.infer<typeof processIdentity>;

export function identityOf(pid: number): ProcessIdentity {
  return { pid, processStart: processStartOf(pid) };
}

/**
 * Names the system whose process numbers this process sees: two containers with one data directory see different processes
 * under the same numbers.
 */
export function systemName(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** Whether it runs; where the system does not say when a process began, one with its number is taken for it. */
export function isAlive({ pid, processStart }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemErrorCode(error) !== "EPERM") return false;
  }
  const start = processStartOf(pid);
  return start === null || processStart === null || start === processStart;
}

/** Milliseconds of processor time that a process has used, in steps of ten; null where /proc does not tell (fields 14 and 15). */
export function processorTimeOf(pid: number): number | null {
  const fields = statOf(pid);
  const [user, system] = [Number(fields?.[11]), Number(fields?.[12])];
  return Number.isFinite(user + system) ? (user + system) * 10 : null;
}

/** Boot id and start time in clock ticks (field 22 of proc(5) `stat`) on Linux, null elsewhere and for a process that has ended. */
function processStartOf(pid: number): string | null {
  const fields = statOf(pid);
  if (!fields) return null;
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    // A zombie has ended, though its number is still taken.
    return fields[0] === "Z" ? `${boot}/ended` : `${boot}/${fields[19]}`;
  } catch {
    return null;
  }
}

/** The fields of proc(5) `stat` from the third (the state) on. */
function statOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
