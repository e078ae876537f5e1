import type { NodeRegistry } from "../document/define-node.ts";
import type { Problem } from "../document/problem.ts";
import { validateWorkflow } from "../document/validate.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import { planRun, type RunPlan } from "./run-plan.ts";

/** What every run of a document needs and none changes. */
export interface PreparedRun {
  plan: RunPlan;
  problems: readonly Problem[];
}

const prepared = new WeakMap<WorkflowDocument, { registry: NodeRegistry; run: PreparedRun }>();

/**
 * Plans and checks a document. A frozen one, as the editor's store holds it, stays what it is, so that its second run finds
 * the work done; of any other it is done each time.
 */
export function prepareRun(document: WorkflowDocument, registry: NodeRegistry): PreparedRun {
  const known = prepared.get(document);
  if (known?.registry === registry) return known.run;
  const run = { plan: planRun(document, registry), problems: validateWorkflow(document, registry) };
  if (Object.isFrozen(document) && Object.isFrozen(document.nodes)) prepared.set(document, { registry, run });
  return run;
}
