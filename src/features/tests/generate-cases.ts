import type { EvaluationCase } from "../../evaluation/suite/evaluation-case.ts";
import type { Suite } from "../../evaluation/suite/suite.ts";
import { questionFromText } from "../../evaluation/suite/question-from-text.ts";
import { nobodyApproves } from "../../engine/host.ts";
import { addCost } from "../../engine/model/usage.ts";
import { createModel } from "../../evaluation/run/trial-services.ts";
import { ServiceError, type Services } from "../../services/services.ts";
import { readChunk, spread } from "../../state/knowledge/spread-chunks.ts";
import { chosenModel, type ModelForm } from "./settings-form.ts";

/** What cases are made of, and by which model. */
export interface GenerateOptions {
  collectionId: string;
  /** The suite's workflow; requests are made as its. */
  workflowId: string;
  model: ModelForm;
  count: number;
  /** Questions that the suite has already. */
  taken: readonly string[];
  signal: AbortSignal;
  /** Told of each case as it is made, and what all have cost so far in US dollars; null where a price is not known. */
  onCase(made: EvaluationCase, costUsd: number | null): void;
}

/** What checks a generated case where the suite checks no expected answers by itself. */
export function assertionsFor({ judge, defaultAssert }: Suite): Pick<EvaluationCase, "assert"> {
  if (defaultAssert.some(({ value }) => JSON.stringify(value ?? null).includes("expected"))) return {};
  const rubric = "The answer states this, in whatever words: {{expected}}";
  const assertion = judge ? { type: "llm-rubric", value: rubric } : { type: "icontains", value: "{{expected}}" };
  return { assert: [{ ...assertion, weight: 1 }] };
}

/** Texts that are tried for each case that is wanted: some are no use. */
const triesPerCase = 2;

/**
 * Has a model write questions about chunks of a collection, spread over all its documents. Rejects with a ServiceError or RunError;
 * the cases made so far have been told of by then.
 */
export async function generateCases(
  { createHost, knowledge }: Pick<Services, "createHost" | "knowledge">,
  options: GenerateOptions,
): Promise<void> {
  const { collectionId, workflowId, count, signal, onCase } = options;
  const documents = (await knowledge.documents(collectionId)).filter(({ chunks }) => chunks > 0);
  if (documents.length === 0)
    throw new ServiceError("invalid", "The collection has no documents that were read.", "Add some on its page.");
  const host = createHost({ workflowId, approve: nobodyApproves });
  const model = createModel(chosenModel(options.model), "questions", host);
  const taken = [...options.taken];
  let costUsd: number | null = 0;
  const onCost = (usd: number | null) => {
    costUsd = addCost(costUsd, usd);
  };
  let made = 0;
  for (const place of spread(documents, count * triesPerCase)) {
    if (made === count || signal.aborted) return;
    const text = await readChunk(knowledge, place);
    const found = text && (await questionFromText(model, text, taken, { signal, onCost }));
    if (!found) continue;
    made += 1;
    taken.push(found.id);
    onCase(found, costUsd);
  }
  if (made === 0 && !signal.aborted)
    throw new ServiceError("invalid", "The model wrote no questions about these texts.", "Try another model.");
}
