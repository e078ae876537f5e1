import { z } from "zod/mini";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { RunEvent } from "../../engine/run/events.ts";

/** Where a case begins that is about one step of a workflow. It ends with that step. */
export const caseStartSchema = z.strictObject({
  /** Id or title of the node. */
  node: z.string().check(z.minLength(1)),
  /** What the node was called when the case was made, to name it once it is gone. */
  title: z.optional(z.string()),
  /**
   * The model or tool call of the step at which the case begins, counted from 1; calls inside others count, too. What was before it
   * is served from the case's recording. At the step's own beginning when absent.
   */
  call: z.optional(z.int().check(z.minimum(1))),
  /** What nodes before the step gave, by id, for templates that name them. */
  outputs: z.optional(z.record(z.string(), z.json())),
});

/** The step that a case is about. */
export type CaseStart = z.infer<typeof caseStartSchema>;

/** A step in words: its title, and the call at which the case begins. */
export function startWords({ node, title, call }: CaseStart, document?: Pick<WorkflowDocument, "nodes">): string {
  const name = document?.nodes[node]?.title ?? title ?? node;
  return call === undefined ? name : `${name}, from call ${call}`;
}

/**
 * Whether a case can begin at a node: it belongs to the main flow and gets one value there. A trigger's case is that of the run, and
 * what joins several branches has no single input.
 */
export function canBeginAt(document: WorkflowDocument, registry: NodeRegistry, nodeId: string): boolean {
  const node = document.nodes[nodeId];
  const definition = node && registry[node.type];
  if (!definition || definition.role === "trigger") return false;
  const ports = Object.values(definition.inputs).filter(({ kind }) => kind === "main");
  return ports.length > 0 && ports.every(({ max }) => max !== null);
}

/** The id of the node at which a case begins, or why there is none. */
export type FoundStart = { ok: true; nodeId: string } | { ok: false; problem: string };

/** Finds a case's step in the workflow as it is now: by id, or where there is no such id, by title. */
export function findStart({ node, title = node }: CaseStart, { nodes }: Pick<WorkflowDocument, "nodes">): FoundStart {
  if (Object.hasOwn(nodes, node)) return { ok: true, nodeId: node };
  const [found, ...more] = Object.values(nodes).filter((each) => each.title === node);
  if (found && more.length === 0) return { ok: true, nodeId: found.id };
  const problem = found
    ? `The case begins at “${node}”, and ${more.length + 1} nodes are called so. Name the one that is meant by its id.`
    : `The case begins at the step “${title}”, which is no longer in the workflow. Make the case anew from a later run, or delete it.`;
  return { ok: false, problem };
}

/** Whether an event is the beginning of a model or tool call. */
export function isCall(event: RunEvent): event is Extract<RunEvent, { type: "model-request" | "tool-call-start" }> {
  return event.type === "model-request" || event.type === "tool-call-start";
}

/** What a run of a step did from a call on; all of it where the case begins at the step itself. */
export function eventsFromCall(events: readonly RunEvent[], call: number | undefined): readonly RunEvent[] {
  if (call === undefined || call === 1) return events;
  const first = events.filter(isCall)[call - 1];
  const isOuter = ({ type }: RunEvent) => type === "run-start" || type === "run-end";
  const from = first === undefined ? events.length : events.indexOf(first);
  return events.filter((event, index) => index >= from || isOuter(event));
}
