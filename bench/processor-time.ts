import { readFileSync } from "node:fs";

/** Milliseconds of a tick in /proc, which is the same on every Linux that Node runs on. */
const tickMs = 10;

interface Spent {
  parent: number;
  ms: number;
}

/**
 * Milliseconds that a process and its children that have ended have computed; 0 for one that is gone. Linux alone says so.
 */
export function processorTime(pid: number): number {
  return spentBy(pid)?.ms ?? 0;
}

/** The process that started this one. */
export function parentOf(pid: number): number {
  return spentBy(pid)?.parent ?? 0;
}

function spentBy(pid: number): Spent | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // utime, stime, cutime and cstime of proc_pid_stat(5).
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ms: ticks * tickMs };
  } catch {
    return undefined;
  }
}
