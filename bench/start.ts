import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStudio } from "../e2e/studio.ts";
import { limitRow, median, type Bench, type Row } from "./measure.ts";
import { residentBytes } from "./resident-memory.ts";

const starts = 3;

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
          rows.push(limitRow("memory of all its processes", residentBytes(studio.pid) / 1e6, "MB", 230));
        }
        await studio.stop();
      }
      return [limitRow("a later start until the first answer", median(times), "ms", 1_000), ...rows];
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};
