import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { isJsonObject, type JsonObject } from "../../engine/json.ts";
import { Draft, tooMany } from "../draft.ts";
import { ReportNotes, tellLeft, type ImportReport, type Outcome } from "../report.ts";
import { account, missingFor } from "./account.ts";
import { addComputed, putBefore } from "./computed.ts";
import { withErrorSettings } from "./error-settings.ts";
import { drawEdges } from "./draw-edges.ts";
import { type ItemFlow, itemFlow } from "./item-flow.ts";
import { ItemNames } from "./item-names.ts";
import type { Placed } from "./placed.ts";
import type { Made, Step, Use } from "./made.ts";
import { mapNode } from "./map-node.ts";
import { workflowReason } from "./no-effect.ts";
import { NodeWork } from "./node-work.ts";
import { parserSchema } from "./output-parsers.ts";
import { type N8nNode, type N8nWorkflow, readN8n } from "./read-n8n.ts";
import { namesFor, type Source } from "./sources.ts";
import { toolName } from "../tool-name.ts";

/** A workflow that was imported, and the report of it. */
export type Imported = { ok: true; document: WorkflowDocument; report: ImportReport } | { ok: false; problem: string };

/** n8n's cards are smaller than the studio's. */
const scale = { x: 1.45, y: 1.25 };

/** Imports one workflow of n8n. Nothing is run or asked for. Never throws on what a file may hold. */
export function importN8n(source: JsonObject, registry: NodeRegistry, id: string): Imported {
  const tooManyNodes = tooMany(Array.isArray(source.nodes) ? source.nodes.filter(isJsonObject).length : 0, 0);
  if (tooManyNodes !== undefined) return { ok: false, problem: tooManyNodes };
  const workflow = readN8n(source);
  const tooLarge = tooMany(workflow.nodes.length, workflow.edges.length);
  if (tooLarge !== undefined) return { ok: false, problem: tooLarge };
  const notes = new ReportNotes("n8n");
  const draft = new Draft(registry);
  const sources = new Map<string, Source>();
  const titles = new Map<string, string>();
  for (const node of workflow.nodes) {
    const { title, slug } = draft.reserve(node.name);
    titles.set(node.name, title);
    const asks = node.parameters.raw.operation === "sendAndWait";
    sources.set(node.name, { slug, type: node.type, ...(asks ? { asks } : {}) });
  }
  const placed = new Map<string, Placed>();
  const flow = itemFlow(workflow);
  const items = new ItemNames(workflow, flow, draft);
  for (const node of workflow.nodes) {
    placed.set(
      node.name,
      place(node, titles.get(node.name) ?? node.name, { workflow, draft, notes, sources, flow, items, registry }),
    );
  }
  drawEdges({ workflow, placed, draft, notes, flow, items });
  putBefore(placed, draft);
  for (const { edge, why } of workflow.lost) notes.edge(edge.from, edge.to, edge.kind, `Left out: ${why}.`);
  addComputed(placed, draft);
  for (const { made, work } of placed.values()) account(work, made, notes);
  for (const leaf of workflow.settings.leaves()) tellLeft(leaf, workflowReason(leaf), "", notes);
  return {
    ok: true,
    document: draft.document(id, workflow.name, workflow.description),
    report: notes.report,
  };
}

interface Bench {
  workflow: N8nWorkflow;
  draft: Draft;
  notes: ReportNotes;
  sources: ReadonlyMap<string, Source>;
  flow: ItemFlow;
  items: ItemNames;
  registry: NodeRegistry;
}

/** Makes the node's counterpart, and notes what became of it. */
function place(node: N8nNode, title: string, bench: Bench): Placed {
  const { workflow, draft, notes, sources, flow, items, registry } = bench;
  const use = useOf(node, workflow);
  const getsItems = flow.takesAll(node.name) && flow.gets(node.name);
  const inFlow = !use.asTool && ![...use.kinds].some((kind) => kind.startsWith("ai_"));
  const work = new NodeWork(node, {
    names: namesFor(node.name, sources, workflow.edges, items),
    zone: workflow.timeZone,
    // A value that code works out is one for all items.
    canCompute: inFlow && !getsItems,
    getsItems,
    reserve: (wanted) => draft.reserve(wanted),
  });
  const made = neverEmpty(undecided(work) ?? mapNode(work, use, workflow.timeZone), node, flow);
  const settled = withErrorSettings(settle(made, work, use, registry), node, registry);
  const record =
    settled.type === undefined
      ? undefined
      : draft.add(settled.type, title, configOf(settled, work, bench), at(node), decorations(node, workflow));
  const before = settled.before === undefined ? [] : stepsBefore(work, settled.before, node, draft);
  const needy =
    [...before, ...(record ? [record] : [])].find(({ config }) => config.needsCredential === true) ?? record;
  const outcome = outcomeOf(settled);
  const needs = settled.needs === undefined || settled.needs === "" ? [] : [`Choose ${settled.needs}.`];
  if (node.type !== "stickyNote")
    notes.node({
      node: node.name,
      sourceType: node.fullType,
      targetType: settled.type ?? targetOf(node.type),
      outcome,
      note: [settled.note ?? "", ...needs].filter(Boolean).join(" "),
      ...(needy ? { nodeId: needy.id } : {}),
    });
  for (const credential of node.credentials) {
    notes.credential(node.name, credential.type, `“${credential.name || credential.type}” does not come along.`);
  }
  if (node.hasErrorOutput && settled.type !== undefined) {
    node.settings.mark(["onError"]);
    notes.setting(node.name, "onError", "mapped", "Errors leave by a branch of their own, behind a condition.");
  }
  return { node, made: settled, record, before, work };
}

/** Parameters that say what a node does at all. */
const choices = ["resource", "operation", "method", "requestMethod", "httpRequestMethod"];

/** A node of which only a run says what it does; the usual choice instead would do something else. */
function undecided(work: NodeWork): Made | undefined {
  const open = choices.filter((name) => work.isExpression(work.node.parameters.raw[name]));
  if (open.length === 0) return undefined;
  const note = `An expression says its ${open.join(" and ")}: put a Switch in front of one step for each.`;
  return { outcome: "placeholder", note };
}

/** Adds what runs before a node: the one that keeps its input, and its steps. */
function stepsBefore(work: NodeWork, steps: readonly Step[], node: N8nNode, draft: Draft): NodeRecord[] {
  const keeper = work.keepsInput;
  const all = keeper ? [{ title: keeper.title, type: "set-fields", config: {} }, ...steps] : [...steps];
  const { x, y } = at(node);
  return all.map(({ title, type, config }, index) =>
    draft.add(
      type,
      title,
      config,
      { x: x - 60 * (all.length - index), y: y - 130 * (all.length - index) },
      node.disabled ? { disabled: true } : {},
    ),
  );
}

/** Code over all items gives an empty one instead of none, where n8n is told to. */
function neverEmpty(made: Made, node: N8nNode, flow: ItemFlow): Made {
  if (!node.alwaysOutput || made.type !== "code" || !flow.takesAll(node.name)) return made;
  node.settings.mark(["alwaysOutputData"]);
  const code = `const given = await (async () => {\n${String(made.config?.["code"])}\n})();
return Array.isArray(given) && given.length === 0 ? [{}] : given;`;
  return { ...made, config: { ...made.config, code } };
}

/** What has no counterpart becomes a placeholder, unless it goes into another node's settings. */
function settle(made: Made, work: NodeWork, use: Use, registry: NodeRegistry): Made {
  const { type } = work.node;
  const merged = /^(outputParser|embeddings|textSplitter|document|retriever|reranker)/.test(type);
  if (made.outcome === "placeholder" || (made.type === undefined && !merged)) {
    return placeholderOf(made, work, use);
  }
  // A tool without an address would let the model choose one.
  if (made.type === "http-request-tool" && (made.config?.url ?? "") === "") return placeholderOf(made, work, use);
  const missing = missingFor(work, made, registry);
  if (missing.length === 0) return made;
  const note = `It would do something else without these settings, which have no counterpart here: ${missing.slice(0, 5).join(", ")}.`;
  return placeholderOf({ note: [note, made.note ?? ""].join(" ").trim() }, work, use);
}

function placeholderOf(made: Made, work: NodeWork, use: Use): Made {
  const isTool = use.asTool || made.type === "placeholder-tool";
  const note = made.note ?? "";
  return {
    type: isTool ? "placeholder-tool" : "placeholder",
    config: {
      sourceType: work.node.fullType.slice(0, 200),
      instead: note.slice(0, 2_000),
      settings: work.node.parameters.raw,
      ...(isTool ? { toolName: toolName(work.node.name) } : {}),
    },
    outcome: "placeholder",
    note: `Settings are kept. ${note}`.trim(),
    output: isTool ? () => "tool" : (kind) => (kind === "main" ? "main" : undefined),
  };
}

function outcomeOf(made: Made): Outcome {
  if (made.outcome === "placeholder") return "placeholder";
  if (made.needs !== undefined && made.needs !== "") return "needsCredential";
  if (made.outcome !== undefined) return made.outcome;
  return made.type === undefined ? "approximated" : "mapped";
}

/** What nodes without a card of their own are part of. */
function targetOf(type: string): string | null {
  if (type.startsWith("outputParser")) return "ai-agent";
  return "knowledge-base-tool";
}

function useOf(node: N8nNode, workflow: N8nWorkflow): Use {
  const kinds = new Set(workflow.edges.filter(({ from }) => from === node.name).map(({ kind }) => kind));
  const isToolForm = node.type.endsWith("Tool") && kinds.size === 0;
  const loads = workflow.edges.find(({ to, kind }) => to === node.name && kind === "ai_document");
  const loader = workflow.nodes.find(({ name }) => name === loads?.from);
  return { kinds, asTool: kinds.has("ai_tool") || isToolForm, loader };
}

/** The settings, with what an output parser demands and the name of a tool. */
function configOf(made: Made, work: NodeWork, { workflow }: Bench): JsonObject {
  const config = { ...made.config };
  if (made.type !== "ai-agent") return config;
  const parser = parserOf(work.node.name, workflow);
  if (parser === undefined) return config;
  return { ...config, outputFormat: "json", outputSchema: schemaOfParser(parser) };
}

function parserOf(name: string, workflow: N8nWorkflow, depth = 0): N8nNode | undefined {
  const edge = workflow.edges.find(({ to, kind }) => to === name && kind === "ai_outputParser");
  const parser = edge && workflow.nodes.find((one) => one.name === edge.from);
  if (parser?.type !== "outputParserAutofixing" || depth > 3) return parser;
  return parserOf(parser.name, workflow, depth + 1) ?? parser;
}

function schemaOfParser(parser: N8nNode): JsonObject | null {
  return parserSchema(new NodeWork(parser, { names: { node: () => undefined }, zone: undefined, canCompute: false }));
}

function at(node: N8nNode): { x: number; y: number } {
  return { x: node.position.x * scale.x, y: node.position.y * scale.y };
}

function decorations(node: N8nNode, workflow: N8nWorkflow): Partial<NodeRecord> {
  const pin = Object.hasOwn(workflow.pinned, node.name) ? workflow.pinned[node.name] : undefined;
  return {
    ...(node.disabled ? { disabled: true } : {}),
    ...(node.notes === "" ? {} : { notes: node.notes.slice(0, 10_000) }),
    ...(pin === undefined ? {} : { pin: { output: pin } }),
  };
}
