import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { FileKind } from "../../engine/model/chat-model.ts";
import type { ProviderDefinition } from "../../engine/model/provider.ts";
import { providers } from "../../providers/index.ts";

/** Whether the models that would answer a chat can read what is sent; `unable` names those that cannot. */
type Reading = { ok: true } | { ok: false; unable: readonly string[] };

type Workflow = Pick<WorkflowDocument, "nodes" | "edges">;

/** Whether they take images. A provider that cannot tell counts as able. */
export function visionOf(workflow: Workflow): Reading {
  return whetherModels(workflow, (provider, model) => provider?.canSee?.(model) !== false);
}

/** Whether they take files of a kind. A provider that does not say so counts as unable. */
export function readingOf(workflow: Workflow, kind: FileKind): Reading {
  return whetherModels(workflow, (provider, model) => provider?.filesOf?.(model).includes(kind) === true);
}

/** Looks at the model of each agent that is turned on; one that is able is enough. */
function whetherModels(
  { nodes, edges }: Workflow,
  isAble: (provider: ProviderDefinition | undefined, model: string) => boolean,
): Reading {
  const unable = new Set<string>();
  let able = false;
  for (const { from, to } of Object.values(edges)) {
    const agent = nodes[to.node];
    const model = nodes[from.node];
    if (to.port !== "model" || agent === undefined || agent.disabled === true || model === undefined) continue;
    const provider = providers.find(({ nodeType }) => nodeType === model.type);
    const name = model.config["model"] ?? provider?.suggestedModels[0];
    if (isAble(provider, typeof name === "string" ? name : "")) able = true;
    else unable.add(model.title);
  }
  return able || unable.size === 0 ? { ok: true } : { ok: false, unable: [...unable] };
}
