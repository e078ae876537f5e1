import { limitRow, type Bench } from "./measure.ts";
import { measureFloods } from "./siege/flooded-door.ts";
import { measureLargeInputs } from "./siege/large-inputs.ts";
import { runSiege } from "./siege/run-siege.ts";

const minutes = 10;

/** Three guests do everything that ever broke the studio, in random order, while a fourth works; then doors are flooded. */
export const siegeBench: Bench = {
  id: "siege",
  title: `Siege: three guests for ${minutes} minutes, a fourth works`,
  async run() {
    const siege = await runSiege({ ms: minutes * 60_000, killEveryMs: 20_000 });
    for (const line of [...siege.wrong.slice(0, 10), ...siege.lost.slice(0, 10)]) console.log(`  ${line}`);
    const times = Object.values(siege.tried).reduce((sum, count) => sum + count, 0);
    console.log(`  ${times} hostile acts of ${Object.keys(siege.tried).length} kinds, ${siege.kills} processes killed`);
    return [
      ...(await measureFloods()),
      { name: "requests of the fourth", value: siege.served, unit: "served", goal: "all", met: siege.served > 0 },
      limitRow("told to come again, then served", siege.refused, "times", siege.served),
      limitRow("left alone, or refused otherwise", siege.wrong.length, "requests", 0),
      limitRow("acknowledged writes that were lost", siege.lost.length, "writes", 0),
      limitRow("slowest answer", siege.slowestMs, "ms", 2_000),
      limitRow("back after a fault", siege.longestAwayMs / 1_000, "s", 5),
      limitRow("most memory", siege.peakBytes / 1e6, "MB", 1_500),
      ...(await measureLargeInputs()),
    ];
  },
};
