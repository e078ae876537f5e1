import { openaiCompatibleProvider } from "../../providers/openai-compatible.ts";
import { type CompatibleServerId, compatibleServerIdAt } from "../../engine/vendors/compatible-servers.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { priceOf } from "../../engine/model/prices.ts";
import type { ProviderDefinition } from "../../engine/model/provider.ts";
import { demoProvider } from "../../providers/demo.ts";
import type { CredentialSummary } from "../../services/services.ts";
import { replaceAllOfType } from "../../state/commands/replace-node.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";

/** What takes the demo model's place. */
export interface ChosenModel {
  provider: ProviderDefinition;
  credential: CredentialSummary;
  model: string;
  /** Of its own, where the list has none. */
  prices?: { inputPrice?: number; outputPrice?: number };
}

/** Puts a model in the place of every demo model of the open workflow, and says so. */
export function useChosenModel(): (chosen: ChosenModel) => void {
  const { context, document } = useEditor();
  return ({ provider, credential, model, prices }) => {
    const preset = serverOf(provider, credential);
    const config = { credential: credential.id, model, ...prices, ...(preset ? { preset } : {}) };
    const count = replaceAllOfType(context, { from: demoProvider.nodeType, to: provider.nodeType, config });
    if (count === 0) return;
    context.notify({
      tone: "info",
      message: count === 1 ? "The demo model was replaced." : `${count} demo models were replaced.`,
      hint: `${model} by ${credential.name} answers from the next run on.`,
      action: { label: "Undo", onClick: () => document.getState().undo() },
    });
  };
}

/** The listed server that the credential leads to, where it is one for compatible servers. */
function serverOf(provider: ProviderDefinition, { allowedHosts }: CredentialSummary): CompatibleServerId | undefined {
  return provider.id === openaiCompatibleProvider.id ? compatibleServerIdAt(allowedHosts[0] ?? "") : undefined;
}

/** The list of known models that fits. */
export function catalogAt(provider: ProviderDefinition, credential: CredentialSummary): string {
  return serverOf(provider, credential) ?? provider.id;
}

/** Whether a model's price has to be given: an agent stops at a sum of dollars, towards which the model could not count. */
export function needsPrice(
  { provider, credential, model }: Pick<ChosenModel, "provider" | "credential" | "model">,
  { nodes }: WorkflowDocument,
): boolean {
  const hasBudget = Object.values(nodes).some(
    ({ disabled, config }) => !disabled && typeof config["maxCostUsd"] === "number",
  );
  return model !== "" && hasBudget && priceOf(catalogAt(provider, credential), model) === null;
}
