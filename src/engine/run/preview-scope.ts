import type { NodeRegistry } from "../document/define-node.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { Json, JsonObject } from "../json.ts";
import { recordScope, type TemplateScope } from "../template/scope.ts";
import { ancestorsOf, planRun, type RunPlan } from "./run-plan.ts";
import type { RunState } from "./run-state.ts";

/** The id of the node of the main flow that a node stands for: itself, or the one that it serves, however deep. */
export function mainNodeOf(document: WorkflowDocument, plan: RunPlan, nodeId: string): string {
  const seen = new Set<string>();
  let current = nodeId;
  while (!seen.has(current)) {
    seen.add(current);
    const node = plan.nodes.get(current);
    if (!node || node.mainIn.length > 0) return current;
    const served = Object.values(document.edges).find(
      (edge) => edge.from.node === current && !node.mainPorts.includes(edge.from.port),
    );
    if (!served) return current;
    current = served.to.node;
  }
  return current;
}

/**
 * The variables of a node's templates as the last run left them, for completion and previews in the editor. `now` is
 * milliseconds since 1970. Without a run, only names that need none are there.
 */
export function previewScope(
  document: WorkflowDocument,
  registry: NodeRegistry,
  nodeId: string,
  state: RunState | undefined,
  { now, vars = document.vars ?? {} }: { now: number; vars?: JsonObject },
): TemplateScope {
  const plan = planRun(document, registry);
  const main = mainNodeOf(document, plan, nodeId);
  const outputs: JsonObject = {};
  for (const id of ancestorsOf(plan, main)) {
    const output = id === main ? undefined : (document.nodes[id]?.pin?.output ?? state?.nodes[id]?.output);
    const slug = plan.nodes.get(id)?.slug;
    if (output !== undefined && slug !== undefined) outputs[slug] = output;
  }
  const variables: Record<string, Json | Date> = {
    ...outputs,
    nodes: outputs,
    workflow: { id: document.id, name: document.name },
    run: { id: state?.runId ?? "", depth: 0 },
    now: new Date(now),
    vars,
  };
  const json = state?.nodes[main]?.input;
  if (json !== undefined) variables.json = json;
  return recordScope(variables);
}
