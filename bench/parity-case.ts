import { isDeepStrictEqual } from "node:util";
import type { WorkflowDocument } from "../src/engine/document/workflow-document.ts";
import { isJsonObject, type Json, type JsonObject } from "../src/engine/json.ts";
import { loadOnce } from "../src/engine/load-once.ts";
import { realSleep } from "../src/engine/testing/real-sleep.ts";
import { runToEnd } from "../src/engine/testing/run-to-end.ts";
import { testHost } from "../src/engine/testing/test-host.ts";
import { loadQuickJs } from "../src/host/sandbox/load-quickjs.ts";
import { runCode } from "../src/host/sandbox/run-code.ts";
import { importForeign } from "../src/import/index.ts";
import { nodeRegistry } from "../src/nodes/index.ts";

/** What one node of a workflow gave, against the items that its author pinned to it. */
export interface ParityCase {
  file: string;
  node: string;
  /** The node's type in n8n, without its package. */
  type: string;
  equal: boolean;
  /** Why the items differ: what the import or the run says, or both lists. Empty when they are equal. */
  reason: string;
}

const openSandbox = loadOnce(() => loadQuickJs(64 * 1024 * 1024));
const itemsOf = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);
/** Without what JSON drops; a time in UTC has two ways to be written. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (_key, one: unknown) =>
    typeof one === "string" ? one.replace(/^(\d{4}-\d\d-\d\dT[\d:.]+)\+00:00$/, "$1Z") : one,
  );

/** The items that a test pins to its nodes. Triggers keep theirs, which are the input. */
function expectations(source: JsonObject): { name: string; type: string; items: unknown[] }[] {
  const pins: JsonObject = isJsonObject(source.pinData) ? source.pinData : {};
  const nodes = Array.isArray(source.nodes) ? source.nodes.filter(isJsonObject) : [];
  return nodes.flatMap((node) => {
    const name = String(node.name);
    const type = String(node.type).split(".").at(-1) ?? "";
    const pinned = Object.hasOwn(pins, name) ? pins[name] : undefined;
    if (!Array.isArray(pinned) || isTrigger(type)) return [];
    return [
      { name, type, items: pinned.map((item): unknown => (isJsonObject(item) && "json" in item ? item.json : item)) },
    ];
  });
}

const isTrigger = (type: string) => /trigger$|^start$/i.test(type);

/** Only the trigger's items stay pinned, and those given for a type: the others are what the nodes have to give by themselves. */
function withInputOnly(source: JsonObject, given: JsonObject): JsonObject {
  const nodes = Array.isArray(source.nodes) ? source.nodes.filter(isJsonObject) : [];
  const triggers = new Set(
    nodes.filter(({ type }) => isTrigger(String(type).split(".").at(-1) ?? "")).map(({ name }) => name),
  );
  const pins = isJsonObject(source.pinData) ? Object.entries(source.pinData) : [];
  const known = nodes.flatMap(({ name, type, parameters }) => {
    const kind = String(type).split(".").at(-1) ?? "";
    // A node of the tests alone, which holds what it gives.
    const data = kind === "testData" && isJsonObject(parameters) ? parameters.data : undefined;
    const items = data === undefined ? given[kind] : [data].flat();
    return Array.isArray(items) ? [[String(name), items.map((json) => ({ json }))] as const] : [];
  });
  return { ...source, pinData: Object.fromEntries([...pins.filter(([name]) => triggers.has(name)), ...known]) };
}

function reviewed(document: WorkflowDocument): WorkflowDocument {
  const nodes = Object.entries(document.nodes).map(([id, { unreviewed: _reviewed, ...node }]) => [id, node]);
  return { ...document, nodes: Object.fromEntries(nodes) as WorkflowDocument["nodes"] };
}

/** Imports one of n8n's workflow tests, runs it here and compares what its nodes give with the pinned items. */
export async function parityCases(file: string, text: string, given: JsonObject = {}): Promise<ParityCase[]> {
  const source: unknown = JSON.parse(text);
  if (!isJsonObject(source)) return [];
  const expected = expectations(source);
  if (expected.length === 0) return [];
  const unequal = (reason: string) =>
    expected.map(({ name, type }) => ({ file, node: name, type, equal: false, reason }));
  const imported = importForeign(JSON.stringify(withInputOnly(source, given)), {
    registry: nodeRegistry,
    newId: () => "parity",
  });
  const [first] = imported.ok ? imported.workflows : [];
  if (!first) return unequal(imported.ok ? "holds no workflow" : imported.problem);
  const host = {
    ...testHost({
      startsAt: Date.now(),
      runCode: async (request) => (await runCode(await openSandbox(), request)).result,
    }),
    sleep: realSleep,
  };
  const { of, end } = await runToEnd(reviewed(first.document), { registry: nodeRegistry, host, input: {} });
  return expected.map(({ name, type, items }) => {
    const entry = first.report.entries.find((one) => one.about === "node" && one.node === name);
    const gave = of("node-end")
      .filter(({ nodeId }) => nodeId === entry?.nodeId)
      .flatMap(({ output }) => itemsOf(output));
    // Nothing is what a node that is missing or a run that failed gives, too.
    const hasRun = items.length > 0 || (entry?.nodeId !== undefined && end.outcome === "completed");
    const equal = hasRun && isDeepStrictEqual(plain(gave), plain(items));
    const failure = of("node-error").find(({ nodeId }) => nodeId === entry?.nodeId)?.error.message;
    const problem = end.outcome === "completed" ? undefined : JSON.stringify("error" in end ? end.error : end.outcome);
    const both = `gave ${JSON.stringify(gave)}, not ${JSON.stringify(items)}`;
    const reason = failure ?? (gave.length === 0 ? problem : undefined) ?? both;
    return { file, node: name, type, equal, reason: equal ? "" : reason + (entry?.note ? ` [${entry.note}]` : "") };
  });
}
