import { isJsonObject } from "../../engine/json.ts";
import type { Made } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

/** The name that n8n's editor has stored of the workflow, or its id; empty where only a run says it. */
function nameOf(work: NodeWork): string {
  const { workflowId } = work.node.parameters.raw;
  const stored = isJsonObject(workflowId) ? (workflowId.cachedResultName ?? workflowId.value) : workflowId;
  return typeof stored === "string" && !stored.startsWith("=") ? stored.trim().slice(0, 80) : "";
}

/** What runs another workflow as a step stays open, and names it. */
export function calledWorkflow(work: NodeWork): Made {
  const { workflowId } = work.node.parameters.raw;
  const said = isJsonObject(workflowId) ? workflowId.value : workflowId;
  const isOwn = typeof said === "string" && /\$workflow\.id\b/.test(said);
  const each = work.word("mode", "once") === "each" ? " in a For each" : "";
  const name = nameOf(work);
  const note = isOwn
    ? `It runs this workflow itself, from “When Executed by Another Workflow”: lead it to the nodes behind that trigger${each} instead.`
    : `It runs ${name === "" ? "another workflow" : `the workflow “${name}”`}. Copy the nodes of that one in here${each}, or import it and give it to an agent as a workflow tool.`;
  return { outcome: "placeholder", note };
}
