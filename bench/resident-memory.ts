import { readdirSync, readFileSync } from "node:fs";

interface Process {
  pid: number;
  parent: number;
}

function processes(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        // The name in parentheses may hold anything; the fields after it are plain.
        const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        return [{ pid: Number(name), parent }];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}

/** A process and all that it started, as far down as they go. Linux alone says so. */
export function withDescendants(pid: number): number[] {
  const all = processes();
  const family = [pid];
  for (const one of family) family.push(...all.filter(({ parent }) => parent === one).map((child) => child.pid));
  return family;
}

/** Memory in bytes of a process and all that it started; pages that they share are counted once (`Pss`). */
export function residentBytes(pid: number): number {
  return withDescendants(pid).reduce((sum, one) => sum + shareOf(one), 0);
}

function shareOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    // It ended while we looked.
    return 0;
  }
}
