import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStudio } from "../e2e/studio.ts";
import { limitRow, median, type Bench, type Row } from "./measure.ts";

const starts = 3;

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

function withDescendants(pid: number): number[] {
  const all = processes();
  const family = [pid];
  for (const one of family) family.push(...all.filter(({ parent }) => parent === one).map((child) => child.pid));
  return family;
}

/** Memory in bytes of a process and all that it started; pages that they share are counted once (`Pss`). */
function residentBytes(pid: number): number {
  return withDescendants(pid).reduce((sum, one) => {
    const rollup = readFileSync(`/proc/${one}/smaps_rollup`, "utf8");
    return sum + Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
  }, 0);
}

/** The time from `npm start` to the first answered request, and what the processes then hold. */
export const startBench: Bench = {
  id: "start",
  title: "Start, installed and built",
  async run() {
    const dataDir = mkdtempSync(join(tmpdir(), "switchyard-start-"));
    try {
      // The first start builds the site and the database.
      await (await startStudio({ allowHosts: [], dataDir })).stop();
      const times: number[] = [];
      const rows: Row[] = [];
      for (let start = 1; start <= starts; start += 1) {
        const before = performance.now();
        const studio = await startStudio({ allowHosts: [], dataDir });
        const answer = await fetch(studio.url);
        if (!answer.ok) throw new Error(`The studio answered with status ${answer.status}.`);
        times.push(performance.now() - before);
        if (start === starts && process.platform === "linux") {
          rows.push(limitRow("memory of all its processes", residentBytes(studio.pid) / 1e6, "MB", 400));
        }
        await studio.stop();
      }
      return [limitRow("a later start until the first answer", median(times), "ms", 3_000), ...rows];
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};
