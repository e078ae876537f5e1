import type { WorkflowDocument } from "../src/engine/document/workflow-document.ts";
import type { Json } from "../src/engine/json.ts";
import type { RunEvent } from "../src/engine/run/events.ts";
import { reduceRun } from "../src/engine/run/reduce-run.ts";
import { recordingOf } from "../src/engine/run/replay/recording.ts";
import type { ReplayOptions } from "../src/engine/run/replay/replay-options.ts";
import { emptyRunState } from "../src/engine/run/run-state.ts";
import { runWorkflow } from "../src/engine/run/run-workflow.ts";
import { buildWorkflow, type WorkflowSketch } from "../src/engine/testing/build-workflow.ts";
import { nodeRegistry } from "../src/nodes/index.ts";
import { benchHost } from "./hosts.ts";
import { limitRow, median, time, type Bench, type Row } from "./measure.ts";

const host = benchHost();

async function runAll(
  document: WorkflowDocument,
  { input = {}, replay }: { input?: Json; replay?: ReplayOptions } = {},
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const signal = new AbortController().signal;
  const options = { registry: nodeRegistry, host, input, signal, ...(replay ? { replay } : {}) };
  for await (const event of runWorkflow(document, options)) events.push(event);
  const end = events.at(-1);
  if (end?.type !== "run-end" || end.outcome !== "completed") throw new Error(`The run failed: ${JSON.stringify(end)}`);
  return events;
}

/** trigger → set-fields → set-fields → … */
function chain(length: number): WorkflowDocument {
  const nodes: WorkflowSketch["nodes"] = { start: ["manual-trigger"] };
  const edges: string[] = [];
  let previous = "start";
  for (let index = 0; index < length; index++) {
    nodes[`n${index}`] = ["set-fields"];
    edges.push(`${previous}.main -> n${index}.main`);
    previous = `n${index}`;
  }
  return buildWorkflow({ nodes, edges });
}

/** One trigger feeding `width` nodes side by side. */
function fan(width: number): WorkflowDocument {
  const nodes: WorkflowSketch["nodes"] = { start: ["manual-trigger"] };
  const edges: string[] = [];
  for (let index = 0; index < width; index++) {
    nodes[`n${index}`] = ["set-fields"];
    edges.push(`start.main -> n${index}.main`);
  }
  return buildWorkflow({ nodes, edges });
}

async function perNode(name: string, document: WorkflowDocument, nodes: number): Promise<Row> {
  const turns = Math.max(5, Math.ceil(3_000 / nodes));
  for (let turn = 0; turn < 5; turn++) await runAll(document);
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) times.push(await time(() => runAll(document)));
  return limitRow(name, (median(times) / nodes) * 1000, "µs/node", 50);
}

const items = 10_000;

/** A for-each over 10,000 items, live and served from its recording: what an item costs does not grow with their number. */
async function manyItems(): Promise<Row[]> {
  const document = buildWorkflow({
    nodes: {
      start: ["manual-trigger"],
      each: ["for-each", { items: "{{json}}", concurrency: 10 }],
      item: ["set-fields"],
    },
    edges: ["start.main -> each.main", "each.main -> item.main"],
  });
  const input = Array.from({ length: items }, (_, index) => ({ index }));
  await runAll(document, { input: input.slice(0, 1_000) });
  let events: RunEvent[] = [];
  const live = await time(async () => (events = await runAll(document, { input })));
  const replayed = await time(() => runAll(document, { input, replay: { recording: recordingOf(events) } }));
  return [
    limitRow("for-each over 10,000 items", (live / items) * 1000, "µs/item", 100),
    limitRow("the same, served from its recording", (replayed / items) * 1000, "µs/item", 200),
  ];
}

function eventsOf(runId: string, count: number): RunEvent[] {
  const events: RunEvent[] = [
    { runId, seq: 0, at: 0, type: "run-start", workflowId: "w", workflowName: "w", input: {} },
  ];
  for (let seq = 1; seq < count; seq++) {
    events.push(
      seq % 10 === 0
        ? { runId, seq, at: seq, type: "log", level: "info", message: `line ${seq}` }
        : { runId, seq, at: seq, type: "text-delta", nodeId: "agent", callId: "call-1", text: "word " },
    );
  }
  return events;
}

function reducing(): Row[] {
  const count = 10_000;
  const events = eventsOf("run", count);
  const before = process.memoryUsage().heapUsed;
  const started = performance.now();
  let state = emptyRunState("run");
  for (const event of events) state = reduceRun(state, event);
  const elapsed = performance.now() - started;
  const held = (process.memoryUsage().heapUsed - before) / 1e6;
  if (state.nextSeq !== count) throw new Error("Events were lost while reducing.");
  return [
    limitRow("reduceRun, 10,000 events one by one", (elapsed / count) * 1000, "µs/event", 5),
    limitRow("heap growth while reducing 10,000 events", held, "MB", 50),
  ];
}

/** What the engine itself costs, with nodes that do nothing to speak of. */
export const engineBench: Bench = {
  id: "engine",
  title: "Engine",
  async run() {
    return [
      await perNode("chain of 10 set-fields nodes", chain(10), 10),
      await perNode("chain of 100 set-fields nodes", chain(100), 100),
      await perNode("chain of 1,000 set-fields nodes", chain(1_000), 1_000),
      await perNode("100 parallel branches", fan(100), 100),
      ...(await manyItems()),
      ...reducing(),
    ];
  },
};
