import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { Draft, tooMany } from "../draft.ts";
import { joinInputs } from "../join-inputs.ts";
import { ReportNotes, type ImportReport, type Outcome } from "../report.ts";
import { backEdges } from "./back-edges.ts";
import type { Bench } from "./bench.ts";
import { FlowParameters } from "./left-over.ts";
import type { FlowEdge, FlowGraph, FlowNode } from "./flow-graph.ts";
import type { Made, Service, Step } from "./made.ts";

/** A workflow that was imported, and the report of it. */
export type Assembled = { ok: true; document: WorkflowDocument; report: ImportReport } | { ok: false; problem: string };

/** A node with its counterparts: where edges enter, and the nodes where they may leave. */
interface Placed {
  node: FlowNode;
  made: Made;
  entry: NodeRecord | undefined;
  /** The node itself and those behind it. */
  exits: NodeRecord[];
}

const step = { x: 300, y: 170 };

/** Builds the workflow of a graph, of which every parameter is accounted for: each node by `map`, then its edges. Nothing is run or asked for. */
export function assemble(
  given: FlowGraph,
  map: (node: FlowNode, bench: Bench) => Made,
  { registry, id, scale = 1.2 }: { registry: NodeRegistry; id: string; scale?: number },
): Assembled {
  const tooLarge = tooMany(given.nodes.length, given.edges.length);
  if (tooLarge !== undefined) return { ok: false, problem: tooLarge };
  const parameters = new FlowParameters(given);
  const graph = { ...given, nodes: given.nodes.map((node) => parameters.watched(node)) };
  const draft = new Draft(registry);
  const names = new Map(graph.nodes.map((node) => [node.id, draft.reserve(node.name)]));
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const bench: Bench = { graph, draft, notes: new ReportNotes(graph.format), names, nodes };
  const shared = new Map<string, NodeRecord>();
  const placed = new Map<string, Placed>();
  for (const node of graph.nodes) {
    const made = parameters.guarded(node, map(node, bench), registry);
    placed.set(node.id, place(node, made, { bench, shared, scale }));
  }
  for (const { node, made } of placed.values()) if (!node.added) parameters.tell(node, made, bench.notes);
  drawEdges(bench, placed);
  for (const { from, to, why } of graph.lost) bench.notes.edge(from, to, "edge", why);
  joinInputs(draft, "all");
  nameToolsApart(draft);
  const document = draft.document(id, graph.name, graph.description);
  return {
    ok: true,
    document: graph.vars && Object.keys(graph.vars).length > 0 ? { ...document, vars: graph.vars } : document,
    report: bench.notes.report,
  };
}

function place(
  node: FlowNode,
  made: Made,
  { bench, shared, scale }: { bench: Bench; shared: Map<string, NodeRecord>; scale: number },
): Placed {
  const { draft } = bench;
  const title = bench.names.get(node.id)?.title ?? node.name;
  const at = { x: node.position.x * scale, y: node.position.y * scale };
  const before = (made.before ?? []).map((one, index) =>
    draft.add(one.type, titleOf(one, `Before ${title}`, draft), one.config, moved(at, -40, -step.y * (index + 1))),
  );
  const record = made.step && draft.add(made.step.type, title, made.step.config, at);
  const behind = (made.behind ?? []).map((one, index) =>
    draft.add(
      one.type,
      titleOf(one, `After ${title}`, draft),
      one.config,
      moved(at, 150 + 40 * index, step.y * (index + 1)),
    ),
  );
  const exits = [...(record ? [record] : []), ...behind];
  chain(draft, [...before, ...(record ? [record] : [])], []);
  chain(draft, exits, made.behind ?? []);
  for (const [index, service] of (made.services ?? []).entries()) {
    if (record) addService(service, record, { bench, shared, at: moved(at, index * 60, 260 + index * 90) });
  }
  if (!node.added) tell(node, made, record, bench);
  return { node, made, entry: before[0] ?? record, exits };
}

function titleOf(one: Step, usual: string, draft: Draft): string {
  return one.isReserved && one.title !== undefined
    ? one.title
    : draft.reserve((one.title ?? usual).slice(0, 150)).title;
}

/** Gives each tool of an agent a name of its own. */
function nameToolsApart(draft: Draft): void {
  const taken = new Map<string, Set<string>>();
  for (const { from, to } of Object.values(draft.edges)) {
    const tool = draft.nodes[from.node];
    const wanted = tool?.config.toolName;
    if (to.port !== "tools" || !tool || typeof wanted !== "string") continue;
    const names = taken.get(to.node) ?? new Set<string>();
    taken.set(to.node, names);
    let name = wanted;
    for (let number = 2; names.has(name); number += 1) name = `${wanted.slice(0, 60)}_${number}`;
    names.add(name);
    tool.config = { ...tool.config, toolName: name };
  }
}

const moved = (at: { x: number; y: number }, x: number, y: number) => ({ x: at.x + x, y: at.y + y });

/** Joins nodes in a row; `steps` are those from the second on. */
function chain(draft: Draft, records: readonly NodeRecord[], steps: readonly Step[]): void {
  for (const [index, record] of records.entries()) {
    const next = records[index + 1];
    if (next) draft.connect(record.id, steps[index]?.from ?? "main", next.id, "main");
  }
}

function addService(
  service: Service,
  user: NodeRecord,
  { bench, shared, at }: { bench: Bench; shared: Map<string, NodeRecord>; at: { x: number; y: number } },
): void {
  const { draft } = bench;
  const key = JSON.stringify([service.type, service.config]);
  const known = service.shared ? shared.get(key) : undefined;
  const record = known ?? draft.add(service.type, draft.reserve(serviceTitle(service, user)).title, service.config, at);
  if (service.shared) shared.set(key, record);
  draft.connect(record.id, service.output, user.id, service.input);
}

const serviceTitle = (service: Step, user: NodeRecord) => (service.title ?? `${user.title} service`).slice(0, 150);

function tell(node: FlowNode, made: Made, record: NodeRecord | undefined, { notes }: Bench): void {
  const needs = made.needs === undefined || made.needs === "" ? [] : [`Choose ${made.needs}.`];
  // A note on the canvas is no node.
  if (record?.type === "sticky-note") return;
  notes.node({
    node: node.name,
    sourceType: node.type,
    targetType: record?.type ?? null,
    outcome: outcomeOf(made),
    note: [made.note ?? "", ...needs].filter(Boolean).join(" "),
    ...(record ? { nodeId: record.id } : {}),
  });
  for (const { type, note } of made.credentials ?? []) notes.credential(node.name, type, note);
  for (const { name, outcome, note } of made.settings ?? []) notes.setting(node.name, name, outcome, note);
}

function outcomeOf(made: Made): Outcome {
  if (made.outcome === "placeholder") return "placeholder";
  if (made.needs !== undefined && made.needs !== "") return "needsCredential";
  return made.outcome ?? (made.step ? "mapped" : "approximated");
}

function drawEdges(bench: Bench, placed: ReadonlyMap<string, Placed>): void {
  const { graph, notes, names } = bench;
  const nameOf = (id: string) => bench.nodes.get(id)?.name ?? names.get(id)?.title ?? id;
  const back = backEdges(
    graph.nodes.map(({ id }) => id),
    graph.edges.filter((edge) => isMain(edge, placed)),
  );
  for (const edge of graph.edges) {
    const isLoopEnd = placed.get(edge.to)?.made.step?.type === "for-each";
    const why = back.has(edge)
      ? isLoopEnd
        ? "The end of the loop: the loop goes on by itself."
        : "Leads back to an earlier node, which is not possible: repeat with a for-each node or in the agent."
      : drawn(edge, bench, placed);
    if (!edge.added) notes.edge(nameOf(edge.from), nameOf(edge.to), edge.fromHandle || "edge", why);
  }
}

/** Whether an edge carries data from step to step, not a service to its user. */
function isMain(edge: FlowEdge, placed: ReadonlyMap<string, Placed>): boolean {
  const [from, to] = [placed.get(edge.from)?.made, placed.get(edge.to)?.made];
  const wanted = from?.output ? from.output(edge.fromHandle) : "main";
  const port = typeof wanted === "string" ? wanted : wanted?.[0];
  const input = to?.input ? to.input(edge.toHandle) : "main";
  return input === "main" && port !== undefined && !services.has(port);
}

const services = new Set(["model", "memory", "tool"]);

/** Draws one edge; what it gives says why it was not drawn, or is empty. */
function drawn(edge: FlowEdge, { draft }: Bench, placed: ReadonlyMap<string, Placed>): string {
  const from = placed.get(edge.from);
  const to = placed.get(edge.to);
  if (!from || !to) return "Left out: one of its nodes is missing.";
  const last = from.exits.at(-1);
  if (!last) return `“${from.node.name}” is part of the settings of “${to.node.name}” here.`;
  if (!to.entry) return `“${to.node.name}” needs none of its own here.`;
  const wanted = from.made.output ? from.made.output(edge.fromHandle) : "main";
  const input = to.made.input ? to.made.input(edge.toHandle) : "main";
  if (wanted === undefined) return `“${from.node.name}” has no such output here.`;
  if (input === undefined) return `“${to.node.name}” needs none here.`;
  const [port, number] = typeof wanted === "string" ? [wanted, from.exits.length - 1] : wanted;
  const source = from.exits[number] ?? last;
  // Models, memories and tools serve the node itself, not what stands in front of it.
  const target = input === "main" ? to.entry : (to.exits[0] ?? to.entry);
  if (input === "main" && services.has(port)) return `“${to.node.name}” takes none here.`;
  if (draft.hasEdge(source.id, port, target.id, input)) return "Leads the same way as another one.";
  draft.connect(source.id, port, target.id, input);
  return "";
}
