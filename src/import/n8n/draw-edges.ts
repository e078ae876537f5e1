import type { Draft } from "../draft.ts";
import { joinInputs } from "../join-inputs.ts";
import type { ReportNotes } from "../report.ts";
import { agentInput } from "./ai-nodes.ts";
import { ifLoops, repeatInstead } from "./if-loops.ts";
import type { ItemFlow } from "./item-flow.ts";
import type { ItemNames } from "./item-names.ts";
import { repeatForItems } from "./item-loops.ts";
import { loopBacks } from "./loops.ts";
import { samplingOf } from "./model-nodes.ts";
import type { Placed } from "./placed.ts";
import type { N8nEdge, N8nWorkflow } from "./read-n8n.ts";

interface Bench {
  workflow: N8nWorkflow;
  placed: ReadonlyMap<string, Placed>;
  draft: Draft;
  notes: ReportNotes;
  flow: ItemFlow;
  items: ItemNames;
}

/** Draws n8n's edges between the counterparts; each is noted once. */
export function drawEdges(bench: Bench): void {
  const { workflow, placed, notes } = bench;
  const { ends, cycles } = loopBacks(workflow, placed);
  const loops = ifLoops(bench, cycles);
  const endings = new Set<N8nEdge>();
  const entering = new Map<N8nEdge, string>();
  for (const loop of loops.values()) {
    repeatInstead(loop, bench);
    notes.instead(
      loop.name,
      "repeat",
      "It runs its loop itself, until the condition says that it is over, and fails after 1,000 turns.",
    );
    endings.add(loop.ending);
    for (const edge of loop.entering) entering.set(edge, loop.name);
  }
  addOwnModels(bench);
  // Inputs of a merge are told apart by their order.
  for (const edge of workflow.edges.toSorted((a, b) => a.toIndex - b.toIndex)) {
    const { from, to, kind } = edge;
    if (ends.has(edge) || endings.has(edge))
      notes.edge(from, to, kind, "The end of the loop: the loop goes on by itself.");
    else if (cycles.has(edge) && !loops.has(edge))
      notes.edge(
        from,
        to,
        kind,
        "Leads back to an earlier node, which is not possible: use a for-each or a “Repeat until” node, or let the agent repeat.",
      );
    else {
      const loop = entering.get(edge);
      notes.edge(from, to, kind, drawn(loop === undefined ? edge : { ...edge, to: loop }, bench));
    }
  }
  joinAll(bench);
  repeatForItems(bench);
  joinInputs(bench.draft, "first");
}

/** A merge before what works with the inputs together, in their order. */
function joinAll({ placed, draft }: Bench): void {
  for (const { made, record } of placed.values()) {
    if (!record || made.joins !== true) continue;
    const { title } = draft.reserve(`Inputs of ${record.title}`.slice(0, 150));
    const place = { x: record.position.x - 60, y: record.position.y + 110 };
    const merge = draft.add("merge", title, { mode: "all", combine: "list" }, place);
    for (const edge of draft.into(record.id, "main")) {
      draft.remove(edge);
      draft.connect(edge.from.node, edge.from.port, merge.id, "main");
    }
    draft.connect(merge.id, "main", record.id, "main");
  }
}

/** Draws one edge; what it gives says why it was not drawn, or is empty. */
function drawn(edge: N8nEdge, bench: Bench): string {
  const { placed, draft } = bench;
  const from = placed.get(edge.from);
  const to = placed.get(edge.to);
  if (!from || !to) return "Left out: one of its nodes is missing.";
  if (!from.record) return `Part of the settings of “${edge.to}”.`;
  if (!to.record)
    return edge.kind === "ai_vectorStore" || edge.kind === "ai_retriever"
      ? past(edge, bench)
      : `“${edge.to}” needs none of its own here.`;
  const [source, output] = outputOf(edge, from, bench);
  const input = inputOf(edge, to, bench);
  if (output === undefined) return `“${edge.from}” has no such output here.`;
  if (input === undefined) return `“${edge.to}” needs none here.`;
  if (draft.hasEdge(source, output, to.record.id, input)) return "Leads the same way as another one.";
  if (to.made.type === "knowledge-base-tool" || from.made.type === "sticky-note") return "The collection has its own.";
  draft.connect(source, output, to.record.id, input);
  // There is one way on in n8n, whatever was answered.
  if (from.record.type === "approval") draft.connect(source, "declined", to.record.id, input);
  return "";
}

/** A vector store behind a retriever serves those that the retriever serves. */
function past(edge: N8nEdge, bench: Bench): string {
  const { workflow, placed, draft } = bench;
  const from = placed.get(edge.from)?.record;
  const users = workflow.edges.filter((one) => one.from === edge.to && one.kind !== "main");
  let count = 0;
  for (const { to } of users) {
    const user = placed.get(to)?.record;
    if (!from || user?.type !== "ai-agent") continue;
    draft.connect(from.id, "tool", user.id, "tools");
    count += 1;
  }
  return count > 0 ? "" : `“${edge.to}” is part of the collection here.`;
}

function outputOf(edge: N8nEdge, from: Placed, bench: Bench): [string, string | undefined] {
  const id = from.record?.id ?? "";
  const { kind, fromIndex } = edge;
  const normal = from.made.output;
  if (kind === "main" && from.node.hasErrorOutput && from.record) {
    const outputs = from.made.type === "if" ? 2 : 1;
    const split = errorSplit(from, bench);
    if (split !== undefined) return [split, fromIndex >= outputs ? "true" : "false"];
  }
  if (normal) return [id, normal(kind, fromIndex)];
  return [id, kind === "main" ? "main" : kind === "ai_tool" ? "tool" : undefined];
}

/** The condition behind a node whose errors leave by a way of their own. */
function errorSplit(from: Placed, { draft }: Bench): string | undefined {
  const { record } = from;
  if (!record || record.type === "if" || record.type === "switch" || record.type === "for-each") return undefined;
  const known = Object.values(draft.edges).find(
    (edge) =>
      edge.from.node === record.id &&
      draft.nodes[edge.to.node]?.type === "if" &&
      draft.nodes[edge.to.node]?.title.startsWith(`${record.title} failed`),
  );
  if (known) return known.to.node;
  if ("onError" in record.config) record.config = { ...record.config, onError: "continue" };
  const { title } = draft.reserve(`${record.title} failed?`);
  const split = draft.add(
    "if",
    title,
    { condition: "{{!isNothing(maybe(json.error))}}" },
    { x: record.position.x + 280, y: record.position.y + 40 },
  );
  draft.connect(record.id, "main", split.id, "main");
  return split.id;
}

function inputOf(edge: N8nEdge, to: Placed, bench: Bench): string | undefined {
  const { kind } = edge;
  const index = kind === "ai_languageModel" ? modelPlace(edge, bench) : edge.toIndex;
  if (to.made.input) return to.made.input(kind, index);
  if (to.made.type === "ai-agent") return agentInput(kind, index);
  return kind === "main" && !isService(to) ? "main" : undefined;
}

function isService({ record }: Placed): boolean {
  return record !== undefined && /-(model|memory|tool|trigger)$/.test(record.type);
}

/** The first model is the model, the second the fallback. */
function modelPlace(edge: N8nEdge, { workflow }: Bench): number {
  const all = workflow.edges.filter(({ to, kind }) => to === edge.to && kind === "ai_languageModel");
  const sorted = all.toSorted((a, b) => a.toIndex - b.toIndex);
  return sorted.indexOf(edge);
}

const ownModels: Readonly<Record<string, string>> = {
  openAi: "openai-model",
  openAiAssistant: "openai-model",
  anthropic: "anthropic-model",
  googleGemini: "gemini-model",
  ollama: "openai-compatible-model",
  mistralAi: "openai-compatible-model",
  perplexity: "openai-compatible-model",
};

/** Nodes that ask a vendor themselves get that vendor's model beside them. */
function addOwnModels({ placed, draft }: Bench): void {
  for (const { node, record, work } of placed.values()) {
    const type = Object.hasOwn(ownModels, node.type) ? ownModels[node.type] : undefined;
    if (!type || record?.type !== "ai-agent") continue;
    const { title } = draft.reserve(`${record.title} model`);
    const model = work.word("modelId") || work.word("model");
    const preset = node.type === "ollama" ? "ollama" : node.type === "mistralAi" ? "mistral" : undefined;
    const config = {
      ...samplingOf(work, type),
      ...(model === "" ? {} : { model: model.replace(/^models\//, "") }),
      ...(preset ? { preset } : {}),
    };
    const made = draft.add(type, title, config, { x: record.position.x, y: record.position.y + 260 });
    draft.connect(made.id, "model", record.id, "model");
  }
}
