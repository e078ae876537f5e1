import { describeFields } from "../../engine/config/describe-fields.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { Problem } from "../../engine/document/problem.ts";
import { validateWorkflow } from "../../engine/document/validate.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";

/** What only a person can fill in. */
const personal = new Set(["credential", "collection", "workflow", "mcp-tools"]);

const keyOf = ({ nodeId, edgeId, field, code, message }: Problem) =>
  JSON.stringify([nodeId, edgeId, field, code, message]);

/** Errors that a draft has and the workflow did not have before; what only a person can fill in does not count. */
export function newErrors(base: WorkflowDocument, draft: WorkflowDocument, registry: NodeRegistry): Problem[] {
  const errors = (document: WorkflowDocument) =>
    validateWorkflow(document, registry).filter(({ severity }) => severity === "error");
  const before = new Set(errors(base).map(keyOf));
  return errors(draft).filter((problem) => !before.has(keyOf(problem)) && !isPersonal(problem, draft, registry));
}

function isPersonal({ nodeId, field }: Problem, draft: WorkflowDocument, registry: NodeRegistry): boolean {
  const definition = definitionOf(registry, draft.nodes[nodeId ?? ""]?.type ?? "");
  if (definition === undefined || field === undefined) return false;
  return describeFields(definition.config).some(({ name, control }) => name === field && personal.has(control));
}
