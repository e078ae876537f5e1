import { nobodyApproves } from "../../../engine/host.ts";
import { estimateTokens } from "../../../engine/model/estimate-tokens.ts";
import { priceOf } from "../../../engine/model/prices.ts";
import { addCost } from "../../../engine/model/usage.ts";
import {
  quotedInstruction,
  quotedQuestion,
  type QuotedQuestion,
} from "../../../evaluation/retrieval/quoted-question.ts";
import { createModel } from "../../../evaluation/run/trial-services.ts";
import type { CollectionSummary, DocumentSummary } from "../../../services/knowledge.ts";
import { ServiceError, type Services } from "../../../services/services.ts";
import type { ChosenModel } from "../../../state/evaluation/model-choice-part.ts";
import { readChunk, spread } from "../../../state/knowledge/spread-chunks.ts";

/** Texts that are tried for each question that is wanted: some are no use. */
const triesPerQuestion = 2;

/** Tokens of a written question with its quote. */
const answerTokens = 150;

/** How far the writing is. */
export interface Written {
  questions: readonly QuotedQuestion[];
  /** Questions whose quotes do not stand in the document. */
  misquoted: number;
  /** In US dollars; null where the price is not known. */
  costUsd: number | null;
}

interface WriteOptions {
  collection: CollectionSummary;
  model: ChosenModel;
  count: number;
  /** Questions that there are already. */
  taken: readonly string[];
  signal: AbortSignal;
  onWritten(written: Written): void;
}

/** The least and the most that writing costs, in US dollars; null where the price is not known. */
export function writingCost(
  { provider, model, inputPrice, outputPrice }: ChosenModel,
  documents: readonly Pick<DocumentSummary, "chunks" | "tokens">[],
  count: number,
): { least: number; most: number } | null {
  const listed = priceOf(provider, model);
  const input = inputPrice ?? listed?.input;
  const output = outputPrice ?? listed?.output;
  if (input === undefined || output === undefined) return null;
  const chunks = documents.reduce((sum, document) => sum + document.chunks, 0);
  const tokens = documents.reduce((sum, document) => sum + document.tokens, 0);
  const asked = estimateTokens(quotedInstruction) + (chunks === 0 ? 0 : tokens / chunks);
  const each = (asked * input + answerTokens * output) / 1_000_000;
  return {
    least: each * Math.min(count, chunks),
    most: each * Math.min(count * triesPerQuestion, chunks),
  };
}

/**
 * Has a model write questions about chunks of a collection, spread over all its documents. Rejects with a ServiceError or RunError; what
 * was written so far has been told of by then.
 */
export async function writeQuestions(
  { createHost, knowledge }: Pick<Services, "createHost" | "knowledge">,
  { collection, model: chosen, count, signal, onWritten, ...options }: WriteOptions,
): Promise<void> {
  const documents = (await knowledge.documents(collection.id)).filter(({ chunks }) => chunks > 0);
  if (documents.length === 0)
    throw new ServiceError("invalid", "The collection has no documents that were read.", "Add some on its page.");
  const host = createHost({ workflowId: collection.id, approve: nobodyApproves });
  const model = createModel(chosen, "questions", host);
  const taken = [...options.taken];
  const questions: QuotedQuestion[] = [];
  let misquoted = 0;
  let costUsd: number | null = 0;
  const onCost = (usd: number | null) => {
    costUsd = addCost(costUsd, usd);
  };
  for (const place of spread(documents, count * triesPerQuestion)) {
    if (questions.length === count) break;
    signal.throwIfAborted();
    const text = await readChunk(knowledge, place);
    if (text === undefined) continue;
    const written = await quotedQuestion(model, text, taken, { signal, onCost });
    if (written.type === "misquoted") misquoted += 1;
    if (written.type === "question") {
      taken.push(written.question.question);
      questions.push(written.question);
    }
    onWritten({ questions: [...questions], misquoted, costUsd });
  }
  if (questions.length > 0) return;
  const hint = "Try another model.";
  if (misquoted > 0) throw new ServiceError("invalid", "The model quoted nothing that stands in the documents.", hint);
  throw new ServiceError("invalid", "The model wrote no questions about these texts.", hint);
}
