import type { NodeRegistry } from "../document/define-node.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { Json, JsonObject } from "../json.ts";
import { recordScope, type TemplateScope } from "../template/scope.ts";
import { ancestorsOf, planRun, type RunPlan } from "./run-plan.ts";
import type { NodeRunState, RunState } from "./run-state.ts";

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

/** What a run knows for a node's templates: outputs of the nodes before it by slug, its input, and what is still to come. */
interface KnownData {
  outputs: JsonObject;
  input: Json | undefined;
  /** Names that will have a value once the run has come to the node. */
  unknown: string[];
}

/** What goes into a node: a node that the run is held before has not started, but its input is known. */
export function knownInput(node: NodeRunState | undefined): Json | undefined {
  return node?.pauses?.find(({ kind }) => kind === "node")?.input ?? node?.input;
}

function knownData(
  document: WorkflowDocument,
  registry: NodeRegistry,
  nodeId: string,
  state: RunState | undefined,
): KnownData {
  const plan = planRun(document, registry);
  const main = mainNodeOf(document, plan, nodeId);
  const outputs: JsonObject = {};
  const unknown: string[] = [];
  for (const id of ancestorsOf(plan, main)) {
    const slug = plan.nodes.get(id)?.slug;
    if (id === main || slug === undefined) continue;
    const output = document.nodes[id]?.pin?.output ?? state?.nodes[id]?.output;
    if (output === undefined) unknown.push(slug);
    else outputs[slug] = output;
  }
  const input = knownInput(state?.nodes[main]);
  return { outputs, input, unknown: input === undefined ? ["json", ...unknown] : unknown };
}

/**
 * The variables of a node's templates as the last run left them, for completion and previews in the editor; of a run that is
 * held, as they are at that moment. `now` is milliseconds since 1970. Without a run, only names that need none are there.
 */
export function previewScope(
  document: WorkflowDocument,
  registry: NodeRegistry,
  nodeId: string,
  state: RunState | undefined,
  { now, vars = document.vars ?? {} }: { now: number; vars?: JsonObject },
): TemplateScope {
  const { outputs, input } = knownData(document, registry, nodeId, state);
  const variables: Record<string, Json | Date> = {
    ...outputs,
    nodes: outputs,
    workflow: { id: document.id, name: document.name },
    run: { id: state?.runId ?? "", depth: 0 },
    now: new Date(now),
    vars,
  };
  if (input !== undefined) variables.json = input;
  return recordScope(variables);
}

/** The variables that the node's templates may name though the run has given them no value, or not yet. */
export function unknownVariables(
  document: WorkflowDocument,
  registry: NodeRegistry,
  nodeId: string,
  state: RunState | undefined,
): readonly string[] {
  return knownData(document, registry, nodeId, state).unknown;
}
