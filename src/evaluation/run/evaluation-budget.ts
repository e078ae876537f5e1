import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { priceOf } from "../../engine/model/prices.ts";
import { createSpendingLimit, type LocalSpendingLimit } from "../../engine/spending/spending-limit.ts";
import { unknownPrices } from "../../engine/spending/unknown-prices.ts";
import { priceOfChosen, type Suite } from "../suite/suite.ts";
import type { TrialResult } from "./trial-result.ts";

/** The suite's budget, with what finished trials of an earlier part have taken, also those that did not count. */
export function openBudget(
  { maxCostUsd }: Pick<Suite, "maxCostUsd">,
  done: readonly TrialResult[],
): LocalSpendingLimit | undefined {
  if (maxCostUsd === undefined) return undefined;
  const budget = createSpendingLimit({
    maxUsd: maxCostUsd,
    refusal: () => ({
      code: "budget",
      message: `The next call could exceed the suite's budget of $${maxCostUsd}, so it was not made.`,
      hint: "Raise the suite's budget, or set Max tokens on the model node so that less is booked for a call.",
      retryable: false,
    }),
  });
  for (const { spentUsd } of done) budget.count(spentUsd ?? 0);
  return budget;
}

/** A trial that was refused a call says nothing of the workflow. */
export function withoutRoom(result: TrialResult): TrialResult {
  const reason = "The suite's budget had no room for the trial's next call.";
  return { ...result, status: "excluded", excludedBy: "budget", reason };
}

/** A version of the workflow that a suite compares. */
interface NamedVersion {
  /** Empty where there is only one. */
  name: string;
  document: WorkflowDocument;
}

/** Models whose price is not known, so that the suite's budget could not count them; in words. */
export function priceProblems(suite: Suite, versions: readonly NamedVersion[], registry: NodeRegistry): string[] {
  if (suite.maxCostUsd === undefined || suite.replay === "all") return [];
  const consequence = (model: string) => `The price of ${model} is not known, so the suite's budget could not hold.`;
  const inWorkflow = versions.flatMap(({ name, document }) => {
    const version = name === "" ? "" : `${name}: `;
    const hint = "Enter the price on the node (0 for a server of your own), or leave the budget empty.";
    return unknownPrices(document, registry).map(
      ({ title, model }) => `${version}"${title}": ${consequence(model)} ${hint}`,
    );
  });
  const own = (["judge", "simulatedUser", "embeddings"] as const).flatMap((name) => {
    const chosen = suite[name];
    if (!chosen || priceOf(chosen.provider, chosen.model) || isPriced(chosen, name === "embeddings")) return [];
    const fields = name === "embeddings" ? "inputPrice" : "inputPrice and outputPrice";
    return [`"${name}": ${consequence(chosen.model)} Give it ${fields} (0 for a server of your own).`];
  });
  return [...inWorkflow, ...own];
}

function isPriced(chosen: NonNullable<Suite["judge"]>, isEmbedding: boolean): boolean {
  const keyless = chosen.provider === "demo" || chosen.provider === "browser";
  return keyless || (isEmbedding ? chosen.inputPrice !== undefined : priceOfChosen(chosen) !== undefined);
}
