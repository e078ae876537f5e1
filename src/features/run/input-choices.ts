import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json } from "../../engine/json.ts";
import { partialExtent } from "../../engine/run/partial-extent.ts";
import type { RunState } from "../../engine/run/run-state.ts";

export type InputSource = "previous" | "pinned" | "typed";

/** Where a node's input for a run of its own may come from, and what it would be. */
interface InputChoice {
  source: InputSource;
  input: Json;
}

/** What a node can be run with: what it got in the run on show, what is pinned before it, and always a typed value. */
export function inputChoices(
  document: WorkflowDocument,
  registry: NodeRegistry,
  nodeId: string,
  run: RunState | undefined,
): InputChoice[] {
  const choices: InputChoice[] = [];
  const previous = run && partialExtent(document, registry, nodeId, { state: run });
  if (previous?.ok === true) choices.push({ source: "previous", input: previous.extent.input });
  const pinned = partialExtent(document, registry, nodeId, {});
  if (pinned.ok) choices.push({ source: "pinned", input: pinned.extent.input });
  choices.push({ source: "typed", input: choices[0]?.input ?? {} });
  return choices;
}
