import { findModel, listPrice } from "../models/known-models.ts";
import type { ChatModel, ModelPrice, Usage } from "./chat-model.ts";
import { isFreeEmbedding } from "./free-embeddings.ts";

const free: ModelPrice = { input: 0, output: 0 };

/** The list price of a chat or embedding model: `list` is its provider, or the server that it is asked at. Null when there is none. */
export function priceOf(list: string, modelId: string): ModelPrice | null {
  // The demo's own embeddings compare words.
  if ((list === "demo" && modelId === "words-256") || isFreeEmbedding(list)) return free;
  const known = findModel(list, modelId);
  return known ? listPrice(known) : null;
}

/**
 * US dollars of one call: the model's own price (`ChatModel.price`) or the list's. Null when the price or the usage is
 * not known; a free model costs 0 either way.
 */
export function costOf(
  model: Pick<ChatModel, "provider" | "catalog" | "modelId" | "price">,
  usage: Usage | undefined,
): number | null {
  const found = model.price ?? priceOf(model.catalog ?? model.provider, model.modelId);
  if (!found) return null;
  if (found.input === 0 && found.output === 0) return 0;
  if (!usage) return null;
  const {
    input,
    output,
    cachedInput = input,
  } = found.long && usage.inputTokens > found.long.aboveTokens ? found.long : found;
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
  const dollars = (usage.inputTokens - cached) * input + cached * cachedInput + usage.outputTokens * output;
  return dollars / 1_000_000;
}
