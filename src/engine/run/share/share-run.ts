import { definitionOf } from "../../document/can-connect.ts";
import type { AnyNodeDefinition, NodeRegistry } from "../../document/define-node.ts";
import type { NodeRecord, WorkflowDocument } from "../../document/workflow-document.ts";
import { isJsonObject } from "../../json.ts";
import type { RunEvent } from "../events.ts";
import { sharedEvents } from "./shared-events.ts";
import type { SharedParts, SharedRun, SharedType } from "./shared-run.ts";
import { createSharedText, type SharedText } from "./shared-text.ts";

/** A stored run: its events as they were stored, masked as its workflow said, and the workflow as it was. */
export interface RecordedRun {
  id: string;
  workflowId: string;
  document: WorkflowDocument;
  events: readonly RunEvent[];
}

/**
 * The copy of a run that strangers are shown. Notes and frames, which speak to the workflow's author, and all settings are left
 * out. `lineOf` gives the line on a node's card.
 */
export function shareRun(
  { id, workflowId, document, events }: RecordedRun,
  parts: SharedParts,
  registry: NodeRegistry,
  lineOf: (node: NodeRecord) => string,
): SharedRun {
  const sessions = events.flatMap((event) => {
    const asked = event.type === "run-start" && isJsonObject(event.input) ? event.input["sessionId"] : undefined;
    const session = "session" in event ? event.session : asked;
    return typeof session === "string" ? [session] : [];
  });
  const words = createSharedText(document, [id, workflowId, document.id, ...new Set(sessions)], parts);
  const nodes = Object.values(document.nodes).filter(({ type }) => definitionOf(registry, type)?.drawnAs === undefined);
  const drawn = new Set(nodes.map((node) => node.id));
  const agents = nodes.filter(({ type }) => definitionOf(registry, type)?.role === "agent").map((node) => node.id);
  return {
    version: 1,
    title: words.text(document.name),
    parts,
    types: Object.fromEntries(
      nodes.flatMap(({ type }) => {
        const definition = definitionOf(registry, type);
        return definition ? [[type, sharedType(definition)]] : [];
      }),
    ),
    nodes: nodes.map((node) => sharedNode(node, definitionOf(registry, node.type), parts, words, lineOf)),
    edges: Object.values(document.edges)
      .filter(({ from, to }) => drawn.has(from.node) && drawn.has(to.node))
      .map(({ id: edge, from, to }) => ({ id: edge, from: { ...from }, to: { ...to } })),
    events: sharedEvents(events, new Set(agents), parts, words),
  };
}

function sharedType({ role, title, summary, icon, inputs, outputs }: AnyNodeDefinition): SharedType {
  return { role, title, summary, icon, inputs, outputs };
}

function sharedNode(
  node: NodeRecord,
  definition: AnyNodeDefinition | undefined,
  { prompts }: SharedParts,
  { text }: SharedText,
  lineOf: (node: NodeRecord) => string,
): SharedRun["nodes"][number] {
  const { id, type, title, position, disabled } = node;
  const outputs = definition?.shownOutputs?.(node.config);
  return {
    id,
    type,
    title: text(title),
    position: { ...position },
    ...(disabled === undefined ? {} : { disabled }),
    ...(outputs === undefined ? {} : { outputs: sharedLabels(outputs, definition, prompts, text) }),
    ...(prompts ? { line: text(lineOf(node)) } : {}),
  };
}

/** The outputs that a node has, with its own labels or, since those come from its settings, those of its type. */
function sharedLabels(
  outputs: Readonly<Record<string, string>>,
  definition: AnyNodeDefinition | undefined,
  prompts: boolean,
  text: SharedText["text"],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, label]) => [
      name,
      prompts ? text(label) : (definition?.outputs[name]?.label ?? ""),
    ]),
  );
}
