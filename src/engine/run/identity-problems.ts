import { describeFields } from "../config/describe-fields.ts";
import type { NodeRegistry } from "../document/define-node.ts";
import type { Problem } from "../document/problem.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import { previewTemplate } from "../template/complete.ts";
import { identityOf } from "../template/config-templates.ts";
import { hasTemplate } from "../template/split-template.ts";
import { mainNodeOf, previewScope } from "./preview-scope.ts";
import { planRun } from "./run-plan.ts";
import type { RunState } from "./run-state.ts";

/**
 * Fields that say whose data it is (a session) and that the data of a run gives no value for: the same run would fail
 * there now. Nodes that the run did not come to are left out. `now` is milliseconds since 1970.
 */
export function identityProblems(
  document: WorkflowDocument,
  registry: NodeRegistry,
  state: RunState,
  now: number,
): Problem[] {
  const plan = planRun(document, registry);
  return [...plan.nodes.values()].flatMap(({ id, node, definition }) => {
    const main = mainNodeOf(document, plan, id);
    // What an agent gets as a tool comes with the call.
    const isHelper = definition.role === "agent" && main !== id;
    if (node.disabled || isHelper || state.nodes[main]?.input === undefined) return [];
    return describeFields(definition.config).flatMap((field): Problem[] => {
      const text = node.config[field.name] ?? field.default;
      if (!field.identity || field.template === undefined || typeof text !== "string" || !hasTemplate(text)) return [];
      const scope = previewScope(document, registry, id, state, { now });
      const preview = previewTemplate(text, scope, field.template, identityOf(field, text));
      if (preview.ok) return [];
      return [
        {
          nodeId: id,
          field: field.name,
          severity: "warning",
          code: "expression_error",
          message: `${field.label}, with the data of the run shown: ${preview.message}`,
          hint: `${preview.hint} A run without this value fails before the memory is touched.`,
        },
      ];
    });
  });
}
