import { definitionOf } from "./can-connect.ts";
import type { Json } from "../json.ts";
import type { NodeRegistry, TriggerStart } from "./define-node.ts";
import type { NodeRecord, WorkflowDocument } from "./workflow-document.ts";

/** The triggers of a workflow that are turned on and start in this way, in the order of the document. */
export function triggersOf(
  { nodes }: Pick<WorkflowDocument, "nodes">,
  registry: NodeRegistry,
  startedBy: TriggerStart,
): NodeRecord[] {
  return Object.values(nodes).filter(
    ({ type, disabled }) => disabled !== true && definitionOf(registry, type)?.startedBy === startedBy,
  );
}

/**
 * The default input of a run: the one that a trigger keeps in its settings, that of a manual trigger first; `{}` if
 * there is none.
 */
export function ownInput(document: Pick<WorkflowDocument, "nodes">, registry: NodeRegistry): Json {
  const inOrder = (["hand", "request", "schedule", "message"] as const).flatMap((start) =>
    triggersOf(document, registry, start),
  );
  for (const { type, config } of inOrder) {
    const keeps = definitionOf(registry, type)?.ownInput;
    if (keeps) return keeps(config);
  }
  return {};
}
