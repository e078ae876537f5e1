import type { NodeRegistry } from "../document/define-node.ts";
import type { Problem } from "../document/problem.ts";
import { validateWorkflow } from "../document/validate.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import { planRun, type RunPlan } from "./run-plan.ts";

/** What every run of a document needs and no run changes. */
export interface PreparedRun {
  plan: RunPlan;
  problems: readonly Problem[];
}

const prepared = new WeakMap<WorkflowDocument, { registry: NodeRegistry; run: PreparedRun }>();

/**
 * Plans and validates a document. The result is cached for frozen documents, such as those in the editor's store, since
 * they cannot change.
 */
export function prepareRun(document: WorkflowDocument, registry: NodeRegistry): PreparedRun {
  const known = prepared.get(document);
  if (known?.registry === registry) return known.run;
  const run = { plan: planRun(document, registry), problems: validateWorkflow(document, registry) };
  if (Object.isFrozen(document) && Object.isFrozen(document.nodes)) prepared.set(document, { registry, run });
  return run;
}
