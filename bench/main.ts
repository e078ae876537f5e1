import { engineBench } from "./engine.ts";
import { agentBench } from "./agent.ts";
import { bundleBench } from "./bundle.ts";
import { evaluateBench } from "./evaluate.ts";
import { faultsBench } from "./faults.ts";
import { siegeBench } from "./siege.ts";
import { doorsBench } from "./doors.ts";
import { canvasBench } from "./canvas.ts";
import { knowledgeBench, largeKnowledgeBench } from "./knowledge.ts";
import { landingBench } from "./landing.ts";
import { memoryBench } from "./memory.ts";
import { panelsBench } from "./panels.ts";
import { productBench } from "./product.ts";
import { proxiedBench } from "./proxied.ts";
import { soakBench } from "./soak.ts";
import { startBench } from "./start.ts";
import { workersBench } from "./workers.ts";
import type { Bench, Row } from "./measure.ts";

const benches: Bench[] = [
  bundleBench,
  landingBench,
  engineBench,
  agentBench,
  evaluateBench,
  memoryBench,
  knowledgeBench,
  largeKnowledgeBench,
  canvasBench,
  panelsBench,
  productBench,
  soakBench,
  startBench,
  faultsBench,
  siegeBench,
  workersBench,
  doorsBench,
  proxiedBench,
];

const usage = `npm run bench [-- --only <name>[,<name>]] [--json]

Measures Switchyard against bare loops in the same run.
Names: ${benches.map((bench) => bench.id).join(", ")}`;

const round = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(3);

function printTable(title: string, rows: readonly Row[]): void {
  const head = ["measure", "ours", "bare", "ratio", "goal", ""];
  const body = rows.map((row) => [
    row.name,
    `${round(row.value)} ${row.unit}`,
    row.baseline === undefined ? "" : `${round(row.baseline)} ${row.unit}`,
    row.ratio === undefined ? "" : row.ratio.toFixed(2),
    row.goal,
    row.met ? "met" : "missed",
  ]);
  const widths = head.map((cell, column) => Math.max(cell.length, ...body.map((line) => line[column]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const line of [head, ...body]) {
    console.log(`  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd());
  }
}

const args = process.argv.slice(2);
const json = args.includes("--json");
const only = args.includes("--only") ? (args[args.indexOf("--only") + 1] ?? "").split(",") : undefined;
const unknown = args.filter((arg, index) => arg !== "--json" && arg !== "--only" && args[index - 1] !== "--only");
const wrongName = only?.find((name) => !benches.some((bench) => bench.id === name));
if (unknown.length > 0 || wrongName !== undefined) {
  console.error(usage);
  process.exit(args.includes("--help") ? 0 : 2);
}

const results: Record<string, Row[]> = {};
for (const bench of benches) {
  if (only && !only.includes(bench.id)) continue;
  const rows = await bench.run();
  results[bench.id] = rows;
  if (!json) printTable(bench.title, rows);
}
if (json) console.log(JSON.stringify(results, null, 2));
