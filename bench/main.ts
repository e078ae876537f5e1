import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { engineBench } from "./engine.ts";
import { agentBench } from "./agent.ts";
import { assistantBench } from "./assistant.ts";
import { codeBench } from "./code.ts";
import { chaosBench } from "./chaos.ts";
import { queueBench } from "./crowded-queue.ts";
import { evaluateBench } from "./evaluate.ts";
import { importBench } from "./importing.ts";
import { filesBench } from "./files.ts";
import { faultsBench } from "./faults.ts";
import { functionBundlesBench } from "./function-bundles.ts";
import { runEventsBench } from "./run-events.ts";
import { siegeBench } from "./siege.ts";
import { doorsBench } from "./doors.ts";
import { canvasBench } from "./canvas.ts";
import { chineseKnowledgeBench, knowledgeBench, largeKnowledgeBench } from "./knowledge.ts";
import { landingBench } from "./landing.ts";
import { addingBench } from "./adding.ts";
import { loadingBench } from "./loading.ts";
import { memoryBench } from "./memory.ts";
import { ocrBench } from "./ocr.ts";
import { pagesBench } from "./pages.ts";
import { panelsBench } from "./panels.ts";
import { parityBench } from "./parity.ts";
import { productBench } from "./product.ts";
import { proxiedBench } from "./proxied.ts";
import { soakBench } from "./soak.ts";
import { splittingBench } from "./splitting.ts";
import { standAloneBench } from "./stand-alone.ts";
import { startBench } from "./start.ts";
import { longBench } from "./long.ts";
import { toolSearchBench } from "./tool-search.ts";
import { trustBench } from "./trust.ts";
import { workersBench } from "./workers.ts";
import { CommandFailure } from "../cli/headless/command-failure.ts";
import { type Bench, type BenchOptions, OptionsRefused, type Row } from "./measure.ts";
import { performancePage, type Section } from "./performance-page.ts";
import { shown } from "./shown.ts";

const benches: Bench[] = [
  loadingBench,
  landingBench,
  engineBench,
  codeBench,
  agentBench,
  evaluateBench,
  importBench,
  parityBench,
  memoryBench,
  knowledgeBench,
  largeKnowledgeBench,
  chineseKnowledgeBench,
  addingBench,
  splittingBench,
  canvasBench,
  pagesBench,
  panelsBench,
  productBench,
  soakBench,
  startBench,
  faultsBench,
  siegeBench,
  workersBench,
  queueBench,
  chaosBench,
  standAloneBench,
  functionBundlesBench,
  runEventsBench,
  doorsBench,
  filesBench,
  proxiedBench,
  assistantBench,
  toolSearchBench,
  longBench,
  trustBench,
  ocrBench,
];

const usage = `npm run bench [-- --only <name>[,<name>]] [--json]
npm run bench -- --only loading --before <directory of another build> [--json]
npm run bench -- --only chaos [--open-seconds <seconds>] [--scenario <words of its name>]
npm run bench -- --only parity -- --cases <folder with n8n's workflow tests>
npm run bench -- --only trust -- --cases <folder with suites in AgentDojo's form>
npm run bench -- --only tools -- --cases <folder with the data of the Berkeley Function-Calling Leaderboard>
npm run bench -- --only assistant --model <provider>:<model> --credentials <file> [--credential <id>] [--json]

Measures Switchyard against bare loops in the same run.
--write: puts the tables into docs/performance.md.
Names: ${benches.map((bench) => bench.id).join(", ")}

The bench "assistant" plays the assistant's tasks with scripted answers. With a model of yours it scores that:
  --model <provider>:<model>  such as openai:gpt-5-mini or anthropic:claude-sonnet-4-5
  --credentials <file>        JSON object of credential ids, as "npm run workflow" takes it
  --credential <id>           which of them; the provider's name when absent
About 150 conversations are held, which costs what the vendor asks for about two million tokens.`;

function printTable(title: string, rows: readonly Row[]): void {
  const head = ["measure", "ours", "bare", "ratio", "goal", ""];
  const body = rows.map((row) => [
    row.name,
    shown(row.value, row.unit),
    row.baseline === undefined ? "" : shown(row.baseline, row.unit),
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

const valued = [
  "--only",
  "--model",
  "--credentials",
  "--credential",
  "--before",
  "--open-seconds",
  "--scenario",
  "--cases",
] as const;
const args = process.argv.slice(2).filter((arg) => arg !== "--");
const valueOf = (name: (typeof valued)[number]) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const json = args.includes("--json");
const writes = args.includes("--write");
const only = args.includes("--only") ? (valueOf("--only") ?? "").split(",") : undefined;
const takesValue = (arg: string | undefined) => valued.some((name) => name === arg);
const others = args.filter(
  (arg, index) => !["--json", "--write"].includes(arg) && !takesValue(arg) && !takesValue(args[index - 1]),
);
const positional = others.filter((arg) => !arg.startsWith("-"));
const unknown = [...others.filter((arg) => arg.startsWith("-")), ...positional.slice(1)];
const wrongName = only?.find((name) => !benches.some((bench) => bench.id === name));
const [model, credentials, credential] = [valueOf("--model"), valueOf("--credentials"), valueOf("--credential")];
const before = valueOf("--before");
const openSeconds = valueOf("--open-seconds");
const scenario = valueOf("--scenario");
const folder = valueOf("--cases") ?? positional[0];
const isHalf = (model === undefined) !== (credentials === undefined);
if (unknown.length > 0 || wrongName !== undefined || isHalf) {
  if (isHalf) console.error("--model and --credentials belong together.\n");
  console.error(usage);
  process.exit(args.includes("--help") ? 0 : 2);
}
const options: BenchOptions = {
  ...(model === undefined ? {} : { model }),
  ...(credentials === undefined ? {} : { credentials }),
  ...(credential === undefined ? {} : { credential }),
  ...(before === undefined ? {} : { before }),
  ...(openSeconds === undefined ? {} : { openSeconds: Number(openSeconds) }),
  ...(scenario === undefined ? {} : { scenario }),
  ...(folder === undefined ? {} : { folder }),
};

/** What a person wrote on the command line is answered in words; any other failure is shown with its place. */
function tellRefusal(error: unknown): never {
  if (!(error instanceof OptionsRefused || error instanceof CommandFailure)) throw error;
  console.error(error instanceof CommandFailure ? `${error.message}\n${error.hint}` : error.message);
  process.exit(2);
}

const sections: Section[] = [];
for (const bench of benches) {
  if (only ? !only.includes(bench.id) : bench.onlyWhenNamed) continue;
  const rows = await bench.run(options).catch(tellRefusal);
  const title = bench.titleOf?.(options) ?? bench.title;
  sections.push({ id: bench.id, title, rows });
  if (!json) printTable(title, rows);
}
if (json) console.log(JSON.stringify(Object.fromEntries(sections.map(({ id, rows }) => [id, rows])), null, 2));
if (writes) {
  const path = fileURLToPath(new URL("../docs/performance.md", import.meta.url));
  const day = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  const where = `Measured on ${day} with Node.js ${process.versions.node} on ${availableParallelism()} processor cores.`;
  writeFileSync(path, performancePage(readFileSync(path, "utf8"), sections, where));
}
