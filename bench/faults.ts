import { faultChecks } from "./faults/checks.ts";
import { faultRow, openFaultWorld } from "./faults/fault-world.ts";
import { databaseKilled, everythingKilled, powerCut } from "./faults/kills.ts";
import type { Bench, Row } from "./measure.ts";

const rounds = 20;

/** Kills, power cuts, lost answers and odd text, many rounds of each: what was acknowledged is there. */
export const faultsBench: Bench = {
  id: "faults",
  title: "Faults: what was acknowledged is kept, once",
  async run() {
    const world = await openFaultWorld({ log: () => undefined });
    const everything = everythingKilled();
    const rows: Row[] = [];
    try {
      for (const check of [...faultChecks, databaseKilled, everything, powerCut]) {
        rows.push(await faultRow(world, check, rounds));
      }
      return rows;
    } finally {
      await everything.end();
      await world.stop();
    }
  },
};
