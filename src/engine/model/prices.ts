import type { ChatModel, ModelPrice, Usage } from "./chat-model.ts";
import { vendorOf } from "../vendors/index.ts";
import type { PriceList } from "../vendors/vendor.ts";

/** The day for which the vendors' list prices hold. */
export const pricesAsOf = "2026-10-24";

/** What may follow a listed name and still mean the same model: a date, a revision, `latest` or `preview`. */
const sameModel = /^$|^[-@](\d{3,}(-\d+)*|latest|preview([-\d]*))$/;

/** The demo's own embeddings, which compare words. */
const demoPrices: PriceList = { "words-256": { input: 0, output: 0 } };

function listOf(provider: string): PriceList {
  if (provider === "demo") return demoPrices;
  const vendor = vendorOf(provider);
  return vendor ? { ...vendor.prices, ...vendor.embeddingPrices } : {};
}

/**
 * The list price of a chat or embedding model: the longest listed name that the model's name is, or extends by a date or the like.
 * Null when there is none: a near name is no price.
 */
export function priceOf(provider: string, modelId: string): ModelPrice | null {
  let best: string | undefined;
  const listed = listOf(provider);
  for (const name of Object.keys(listed)) {
    if (!modelId.startsWith(name) || !sameModel.test(modelId.slice(name.length))) continue;
    if (best === undefined || name.length > best.length) best = name;
  }
  return best === undefined ? null : (listed[best] ?? null);
}

/**
 * US dollars of one call: the model's own price (`ChatModel.price`) or the list's. Null when the price or the usage is
 * not known; a free model costs 0 either way.
 */
export function costOf(
  model: Pick<ChatModel, "provider" | "modelId" | "price">,
  usage: Usage | undefined,
): number | null {
  const found = model.price ?? priceOf(model.provider, model.modelId);
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
