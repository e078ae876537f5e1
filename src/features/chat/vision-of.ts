import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { providers } from "../../providers/index.ts";

/** Whether the models that would answer a chat take images; `blind` names those that do not. */
type Vision = { ok: true } | { ok: false; blind: readonly string[] };

/** Looks at the model of each agent that is turned on. A provider that cannot tell counts as able. */
export function visionOf({ nodes, edges }: Pick<WorkflowDocument, "nodes" | "edges">): Vision {
  const blind = new Set<string>();
  let seeing = false;
  for (const { from, to } of Object.values(edges)) {
    const agent = nodes[to.node];
    const model = nodes[from.node];
    if (to.port !== "model" || agent === undefined || agent.disabled === true || model === undefined) continue;
    const provider = providers.find(({ nodeType }) => nodeType === model.type);
    const name = model.config["model"] ?? provider?.suggestedModels[0];
    if (provider?.canSee?.(typeof name === "string" ? name : "") === false) blind.add(model.title);
    else seeing = true;
  }
  return seeing || blind.size === 0 ? { ok: true } : { ok: false, blind: [...blind] };
}
