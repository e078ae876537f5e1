import { fieldProblem } from "../../engine/config/parse-config.ts";
import { describeFields } from "../../engine/config/describe-fields.ts";
import { canConnect, definitionOf } from "../../engine/document/can-connect.ts";
import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import { newNode } from "../../engine/document/new-document.ts";
import { keepReferences, nodeSlugs, setReference } from "../../engine/document/slug.ts";
import { slugify } from "../../engine/document/slugify.ts";
import type { Endpoint, NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { nearestName } from "../../engine/template/nearest-name.ts";
import { fitEdges } from "../editing/fit-edges.ts";
import { renameReferences } from "../editing/rename-references.ts";
import { uniqueTitle } from "../editing/unique-title.ts";
import {
  approvalAfter,
  connectRefusal,
  disconnectRefusal,
  type EditRules,
  knownCredential,
  outreachRefusal,
  type Refusal,
  removalRefusal,
  renameRefusal,
  settingRefusal,
  trustedWords,
} from "./edit-rules.ts";
import type { Edit, EditProblem } from "./edits.ts";
import { improveRefusal, promptRefusal } from "./prompt-rules.ts";
import { offeredTypes } from "./node-catalogue.ts";

/** The changed workflow, or all that is wrong with the batch; then nothing is changed. */
export type AppliedEdits = { ok: true; document: WorkflowDocument } | { ok: false; problems: EditProblem[] };

type Failure = Omit<EditProblem, "index">;

interface Work {
  /** Being changed. */
  draft: WorkflowDocument;
  rules: EditRules & { words: ReadonlySet<string> };
  /** Names of nodes that this batch added, which hold until its end. */
  named: Map<string, string>;
  newId(): string;
}

/** Makes a batch of edits on a copy of a workflow, all or none. Positions of added nodes are 0, 0: they are laid out later. */
export function applyEdits(
  document: WorkflowDocument,
  edits: readonly Edit[],
  options: { rules: EditRules; newId: () => string },
): AppliedEdits {
  const words = options.rules.hasReadRun ? trustedWords(options.rules) : new Set<string>();
  const rules = { ...options.rules, words };
  const work: Work = { draft: structuredClone(document), rules, named: new Map(), newId: options.newId };
  const problems: EditProblem[] = [];
  for (const [index, edit] of edits.entries()) {
    const failures = applyEdit(work, edit);
    problems.push(...failures.map((failure) => ({ index, ...failure })));
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, document: work.draft };
}

function applyEdit(work: Work, edit: Edit): Failure[] {
  const refusal = improveRefusal(work.rules, edit);
  if (refusal !== undefined) return refused(refusal);
  switch (edit.op) {
    case "add":
      return addNode(work, edit);
    case "set":
      return withNode(work, edit.node, (node) => setConfig(work, node, edit.config));
    case "connect":
      return connect(work, edit.wire);
    case "disconnect":
      return disconnect(work, edit.wire);
    case "replace":
      return withNode(work, edit.node, (node) => replaceNode(work, node, edit));
    case "rename":
      return withNode(work, edit.node, (node) => {
        const refusal = renameRefusal(work.rules, node, edit.title);
        if (refusal !== undefined) return refused(refusal);
        renameReferences(work.draft, node.id, edit.title);
        return [];
      });
    case "delete":
      return withNode(work, edit.node, (node) => removeNode(work, node));
  }
}

function refused(refusal: Refusal): Failure[] {
  return refusal === undefined ? [] : [{ code: "not_allowed", ...refusal }];
}

function didYouMean(name: string, names: Iterable<string>): string {
  const near = nearestName(name, names);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

function idOf(work: Work, name: string): string | undefined {
  const added = work.named.get(name);
  if (added !== undefined && work.draft.nodes[added] !== undefined) return added;
  for (const [id, slug] of nodeSlugs(work.draft)) if (slug === name) return id;
  return Object.hasOwn(work.draft.nodes, name) ? name : undefined;
}

function unknownNode(work: Work, name: string): Failure {
  const names = [...nodeSlugs(work.draft).values(), ...work.named.keys()];
  return {
    code: "unknown_node",
    message: `There is no node "${name}".${didYouMean(name, names)}`,
    hint: "Read the workflow for the names of its nodes.",
  };
}

function withNode(work: Work, name: string, change: (node: NodeRecord) => Failure[]): Failure[] {
  const node = work.draft.nodes[idOf(work, name) ?? ""];
  return node === undefined ? [unknownNode(work, name)] : change(node);
}

function typeNamed(work: Work, type: string): { definition: AnyNodeDefinition } | { failure: Failure } {
  const types = offeredTypes(work.rules.registry);
  const definition = types.find((each) => each.type === type);
  if (definition !== undefined) return { definition };
  const near = didYouMean(
    type,
    types.map((each) => each.type),
  );
  const message = `There is no node type "${type}".${near}`;
  return { failure: { code: "unknown_type", message, hint: "Search the node types first." } };
}

function addNode(work: Work, edit: Extract<Edit, { op: "add" }>): Failure[] {
  const found = typeNamed(work, edit.type);
  if ("failure" in found) return [found.failure];
  const { definition } = found;
  if (idOf(work, edit.node) !== undefined) {
    const message = `There is a node "${edit.node}" already.`;
    return [{ code: "taken_name", message, hint: "Set its settings instead, or choose another name." }];
  }
  const wanted = edit.title ?? titleFrom(edit.node, definition.title);
  const node = newNode(definition, {
    id: work.newId(),
    position: { x: 0, y: 0 },
    title: uniqueTitle(work.draft, wanted),
    config: knownCredential(work.rules, definition),
  });
  const before = { nodes: { ...work.draft.nodes } };
  work.draft.nodes[node.id] = node;
  keepReferences(work.draft, before);
  work.named.set(edit.node, node.id);
  work.named.set(slugify(node.title), node.id);
  return [...titleFailures(work, node), ...setConfig(work, node, edit.config ?? {})];
}

/** "support_agent" → "Support agent"; the type's title where the name is only that. */
function titleFrom(name: string, title: string): string {
  if (slugify(title) === slugify(name)) return title;
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words === "" ? title : words.charAt(0).toUpperCase() + words.slice(1);
}

/** A title is shown and sent to models as well, so after a run it is made of known words. */
function titleFailures({ rules }: Work, node: NodeRecord): Failure[] {
  if (!rules.hasReadRun) return [];
  const definition = definitionOf(rules.registry, node.type);
  if (definition === undefined) return [];
  return refused(settingRefusal(rules, { definition, node, field: "title", after: node.title }));
}

function setConfig(work: Work, node: NodeRecord, config: JsonObject): Failure[] {
  const definition = definitionOf(work.rules.registry, node.type);
  if (definition === undefined) {
    const message = `"${node.title}" is of a type that is not known here.`;
    return [{ code: "unknown_type", message, hint: "Replace it by another node." }];
  }
  const fields = describeFields(definition.config);
  const failures: Failure[] = [];
  const next = { ...node.config };
  for (const [name, after] of Object.entries(config)) {
    const field = fields.find((each) => each.name === name && each.hidden !== true);
    if (field === undefined) {
      const names = fields.map((each) => each.name);
      failures.push({
        code: "unknown_setting",
        message: `"${node.title}" has no setting "${name}".${didYouMean(name, names)}`,
        hint: `Its settings are ${names.join(", ")}.`,
      });
      continue;
    }
    const value = after ?? field.default;
    const refusal =
      promptRefusal(work.rules, { node, field, after: value ?? null }) ??
      settingRefusal(work.rules, { definition, node, field: name, after: value ?? null });
    if (refusal !== undefined) {
      failures.push(...refused(refusal));
      continue;
    }
    if (value === undefined) delete next[name];
    else next[name] = value;
    const problem = hasTemplate(value) ? undefined : fieldProblem(definition.config, field, next);
    if (problem !== undefined)
      failures.push({ code: "invalid_setting", message: `"${node.title}": ${problem}`, hint: field.help });
  }
  if (failures.length > 0) return failures;
  node.config = next;
  return refused(outreachRefusal(work.rules, node));
}

function hasTemplate(value: Json | undefined): boolean {
  return JSON.stringify(value ?? null).includes("{{");
}

type Ends = { from: Endpoint; to: Endpoint } | { failure: Failure };

/** Both ends of a wire. A port that is left out is the only one that fits, or the only one that has to be connected. */
function endsOf(work: Work, wire: string): Ends {
  const [start = "", end = ""] = wire.split(">");
  const [fromName = "", fromPort] = start.split(".");
  const [toName = "", toPort] = end.split(".");
  const source = work.draft.nodes[idOf(work, fromName) ?? ""];
  const target = work.draft.nodes[idOf(work, toName) ?? ""];
  if (source === undefined) return { failure: unknownNode(work, fromName) };
  if (target === undefined) return { failure: unknownNode(work, toName) };
  const outputs = definitionOf(work.rules.registry, source.type)?.outputs ?? {};
  const inputs = definitionOf(work.rules.registry, target.type)?.inputs ?? {};
  const pairs = Object.entries(outputs).flatMap(([from, { kind }]) =>
    Object.entries(inputs).flatMap(([to, input]) => (input.kind === kind ? [{ from, to }] : [])),
  );
  const fitting = pairs.filter(
    ({ from, to }) => (fromPort === undefined || from === fromPort) && (toPort === undefined || to === toPort),
  );
  const needed = fitting.filter((pair) => (inputs[pair.to]?.min ?? 0) > 0);
  const only = fitting.length === 1 ? fitting[0] : needed.length === 1 ? needed[0] : undefined;
  const from = fromPort ?? only?.from;
  const to = toPort ?? only?.to;
  if (from !== undefined && to !== undefined)
    return { from: { node: source.id, port: from }, to: { node: target.id, port: to } };
  const possible = pairs.map((pair) => `${fromName}.${pair.from}>${toName}.${pair.to}`);
  const message = `The wire "${wire}" does not say which ports it joins.`;
  const hint = possible.length === 0 ? "These two nodes cannot be connected." : `Possible: ${possible.join(", ")}.`;
  return { failure: { code: "refused_wire", message, hint } };
}

function connect(work: Work, wire: string): Failure[] {
  const ends = endsOf(work, wire);
  if ("failure" in ends) return [ends.failure];
  const verdict = canConnect(work.draft, work.rules.registry, ends.from, ends.to);
  if (!verdict.ok) {
    const hint = "Read the ports of both node types.";
    return [{ code: "refused_wire", message: `${wire}: ${verdict.reason}`, hint }];
  }
  const source = work.draft.nodes[ends.from.node];
  const refusal = source && connectRefusal(work.rules, source);
  if (refusal !== undefined) return refused(refusal);
  const id = work.newId();
  work.draft.edges[id] = { id, from: ends.from, to: ends.to };
  return [];
}

function disconnect(work: Work, wire: string): Failure[] {
  const ends = endsOf(work, wire);
  if ("failure" in ends) return [ends.failure];
  const { from, to } = ends;
  const found = Object.values(work.draft.edges).find(
    (edge) =>
      edge.from.node === from.node &&
      edge.from.port === from.port &&
      edge.to.node === to.node &&
      edge.to.port === to.port,
  );
  if (found === undefined) {
    const hint = "Read the workflow for its wires.";
    return [{ code: "unknown_wire", message: `There is no wire ${wire}.`, hint }];
  }
  for (const id of [from.node, to.node]) {
    const node = work.draft.nodes[id];
    const refusal = node && disconnectRefusal(work.rules, node);
    if (refusal !== undefined) return refused(refusal);
  }
  delete work.draft.edges[found.id];
  return [];
}

function replaceNode(work: Work, node: NodeRecord, edit: Extract<Edit, { op: "replace" }>): Failure[] {
  const found = typeNamed(work, edit.type);
  if ("failure" in found) return [found.failure];
  const refusal = removalRefusal(work.rules, node);
  if (refusal !== undefined) return refused(refusal);
  const { definition } = found;
  const { kept, lost } = fitEdges(work.draft, work.rules.registry, node.id, definition);
  const config = knownCredential(work.rules, definition);
  const next = newNode(definition, { id: node.id, position: node.position, title: node.title, config });
  setReference(next, node.reference);
  Object.assign(next.config, approvalAfter(work.rules.registry, [node, next]));
  work.draft.nodes[node.id] = next;
  for (const edge of lost) delete work.draft.edges[edge.id];
  for (const edge of kept) work.draft.edges[edge.id] = edge;
  return setConfig(work, next, edit.config ?? {});
}

function removeNode(work: Work, node: NodeRecord): Failure[] {
  const refusal = removalRefusal(work.rules, node);
  if (refusal !== undefined) return refused(refusal);
  delete work.draft.nodes[node.id];
  for (const edge of Object.values(work.draft.edges))
    if (edge.from.node === node.id || edge.to.node === node.id) delete work.draft.edges[edge.id];
  return [];
}
