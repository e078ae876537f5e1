import { spawn } from "node:child_process";
import type { RunEvent } from "../src/engine/run/events.ts";
import { runWorkflow } from "../src/engine/run/run-workflow.ts";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { nodeRegistry } from "../src/nodes/index.ts";
import { runCodeInThread } from "../worker/runtime/run-code.ts";
import { benchHost } from "./hosts.ts";
import { limitRow, type Bench } from "./measure.ts";

const items = 150;
const atOnce = 50;

/** Processes that keep the machine busy. */
const load = 30;

const document = buildWorkflow({
  nodes: {
    start: ["manual-trigger"],
    each: ["for-each", { items: "{{json}}", concurrency: atOnce, onItemError: "continue" }],
    code: ["code", { code: "return json * 2;", onError: "continue" }],
  },
  edges: ["start.main -> each.main", "each.main -> code.main"],
});

/** Runs the code over all items; how many of them it was stopped for. */
async function runItems(): Promise<number> {
  const input = Array.from({ length: items }, (_, index) => index);
  const host = { ...benchHost(), runCode: runCodeInThread };
  const events: RunEvent[] = [];
  const options = { registry: nodeRegistry, host, input, signal: new AbortController().signal };
  for await (const event of runWorkflow(document, options)) events.push(event);
  const end = events.at(-1);
  const doubled = end?.type === "run-end" && Array.isArray(end.output) ? end.output : [];
  return items - doubled.filter((value, index) => value === index * 2).length;
}

async function underLoad<Value>(work: () => Promise<Value>): Promise<Value> {
  const busy = Array.from({ length: load }, () => spawn(process.execPath, ["-e", "for (;;) {}"], { stdio: "ignore" }));
  try {
    return await work();
  } finally {
    for (const process of busy) process.kill("SIGKILL");
  }
}

/** What it takes to run a Code step for each of many items. */
export const codeBench: Bench = {
  id: "code",
  title: "Code",
  async run() {
    const before = process.cpuUsage();
    const stopped = await runItems();
    const { user, system } = process.cpuUsage(before);
    return [
      limitRow(
        `${items} items of "return json * 2", ${atOnce} at once`,
        (user + system) / 1_000_000,
        "s of processor",
        3,
      ),
      limitRow("of these, items that did not finish", stopped, "items", 0),
      limitRow(`the same beside ${load} busy processes`, await underLoad(runItems), "items", 0),
    ];
  },
};
