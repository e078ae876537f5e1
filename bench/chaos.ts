import { setTimeout as delay } from "node:timers/promises";
import { startChaosWorld } from "./chaos/chaos-world.ts";
import { scenarios } from "./chaos/scenarios.ts";
import { startSteadyLoad } from "./chaos/steady-load.ts";
import type { Bench, Row } from "./measure.ts";

/** The rate before is taken over so long; while it is, nothing goes wrong. */
const beforeMs = 15_000;
const settleMs = 5_000;
/** How long the way back may take. */
const backMs = 10_000;
const afterMs = 15_000;
const usualOpenSeconds = 60;

/** Faults of a PostgreSQL server, the network and workers while published runs go on: what becomes of runs and of their rate. */
export const chaosBench: Bench = {
  id: "chaos",
  title: "Chaos: a studio and two workers of their own on PostgreSQL",
  onlyWhenNamed: true,
  async run({ openSeconds = usualOpenSeconds, scenario } = {}) {
    const chaos = await startChaosWorld();
    const rows: Row[] = [];
    try {
      const all = scenarios(openSeconds);
      for (const [index, { name, happen }] of all.entries()) {
        if (scenario !== undefined && !name.includes(scenario)) continue;
        const load = startSteadyLoad(chaos, `s${index}`);
        await delay(settleMs);
        const began = Date.now();
        await delay(beforeMs);
        const before = load.rate(began, Date.now());
        const found = await happen(chaos);
        const ended = Date.now();
        await delay(backMs + afterMs);
        const after = load.rate(ended + backMs, ended + backMs + afterMs);
        const faults = [...found, ...(await load.end())];
        for (const fault of faults.slice(0, 10)) console.log(`  ${name}: ${fault}`);
        const ratio = after / before;
        rows.push(
          {
            name: `${name}: rate from the tenth second on`,
            value: after,
            unit: "runs/s",
            baseline: before,
            ratio,
            goal: "≥ 0.9 × before",
            met: ratio >= 0.9,
          },
          {
            name: `${name}: runs lost, failed or done twice`,
            value: faults.length,
            unit: "",
            goal: "0",
            met: faults.length === 0,
          },
        );
      }
      return rows;
    } finally {
      await chaos.stop();
    }
  },
};
