import type { ChatModel, ModelPrice, Usage } from "./chat-model.ts";
import { embeddingPrices } from "./embedding-prices.ts";

/** The day for which the prices below hold. */
export const pricesAsOf = "2026-10-24";

const price = (input: number, output: number, cachedInput?: number, long?: ModelPrice["long"]): ModelPrice => ({
  input,
  output,
  ...(cachedInput === undefined ? {} : { cachedInput }),
  ...(long === undefined ? {} : { long }),
});

/** Some models cost more above a length of the input; the dearer price then holds for the whole call. */
const above = (aboveTokens: number, input: number, output: number, cachedInput: number) => ({
  aboveTokens,
  input,
  output,
  cachedInput,
});

/**
 * List prices in US dollars per million tokens, standard tier, by provider and model name, as published at
 * developers.openai.com/api/docs/pricing, platform.claude.com/docs/en/about-claude/pricing and
 * ai.google.dev/gemini-api/docs/pricing. Batch and priority tiers and surcharges for cache writes are not counted.
 */
export const prices: Readonly<Record<string, Readonly<Record<string, ModelPrice>>>> = {
  openai: {
    "gpt-3.5-turbo": price(0.5, 1.5),
    "gpt-4": price(30, 60),
    "gpt-4-turbo": price(10, 30),
    "gpt-4o": price(2.5, 10, 1.25),
    "gpt-4o-mini": price(0.15, 0.6, 0.075),
    "gpt-4.1": price(2, 8, 0.5),
    "gpt-4.1-mini": price(0.4, 1.6, 0.1),
    "gpt-4.1-nano": price(0.1, 0.4, 0.025),
    "gpt-5": price(1.25, 10, 0.125),
    "gpt-5-mini": price(0.25, 2, 0.025),
    "gpt-5-nano": price(0.05, 0.4, 0.005),
    "gpt-5-pro": price(15, 120),
    "gpt-5-codex": price(1.25, 10, 0.125),
    "gpt-5.1": price(1.25, 10, 0.125),
    "gpt-5.2": price(1.75, 14, 0.175),
    "gpt-5.2-codex": price(1.75, 14, 0.175),
    "gpt-5.3-codex": price(1.75, 14, 0.175),
    "gpt-5.4": price(2.5, 15, 0.25, above(272_000, 5, 22.5, 0.5)),
    "gpt-5.4-mini": price(0.75, 4.5, 0.075),
    "gpt-5.4-nano": price(0.2, 1.25, 0.02),
    "gpt-5.5": price(5, 30, 0.5, above(272_000, 10, 45, 1)),
    "gpt-5.6-luna": price(0.2, 1.2, 0.02, above(200_000, 0.4, 1.8, 0.04)),
    "gpt-5.6-sol": price(5, 30, 0.5, above(272_000, 10, 45, 1)),
    "gpt-5.6-terra": price(2, 12, 0.2, above(272_000, 4, 18, 0.4)),
    o1: price(15, 60, 7.5),
    "o1-mini": price(1.1, 4.4, 0.55),
    o3: price(2, 8, 0.5),
    "o3-mini": price(1.1, 4.4, 0.55),
    "o4-mini": price(1.1, 4.4, 0.275),
  },
  anthropic: {
    "claude-3-haiku": price(0.25, 1.25, 0.03),
    "claude-3-opus": price(15, 75, 1.5),
    "claude-3-5-haiku": price(0.8, 4, 0.08),
    "claude-3-5-sonnet": price(3, 15, 0.3),
    "claude-3-7-sonnet": price(3, 15, 0.3),
    "claude-sonnet-4": price(3, 15, 0.3),
    "claude-sonnet-4-5": price(3, 15, 0.3),
    "claude-sonnet-4-6": price(3, 15, 0.3),
    "claude-sonnet-5": price(2, 10, 0.2),
    "claude-sonnet-5-5": price(2, 10, 0.1),
    "claude-haiku-4-5": price(1, 5, 0.1),
    "claude-haiku-5-5": price(0.1, 0.5, 0.01, above(100_000, 0.5, 2.5, 0.05)),
    "claude-opus-4": price(15, 75, 1.5),
    "claude-opus-4-1": price(15, 75, 1.5),
    "claude-opus-4-5": price(5, 25, 0.5),
    "claude-opus-4-6": price(5, 25, 0.5),
    "claude-opus-4-7": price(5, 25, 0.5),
    "claude-opus-4-8": price(5, 25, 0.5),
    "claude-opus-5": price(5, 25, 0.5),
    "claude-opus-5-5": price(4, 20, 0.2),
    "claude-fable-5": price(10, 50, 1),
    "claude-fable-5-1": price(10, 50, 0.25),
  },
  gemini: {
    "gemini-2.0-flash": price(0.1, 0.4, 0.025),
    "gemini-2.0-flash-lite": price(0.075, 0.3),
    "gemini-2.5-flash": price(0.3, 2.5, 0.03),
    "gemini-2.5-flash-lite": price(0.1, 0.4, 0.01),
    "gemini-2.5-pro": price(1.25, 10, 0.125, above(200_000, 2.5, 15, 0.25)),
    "gemini-3-pro": price(2, 12, 0.2, above(200_000, 4, 18, 0.4)),
    "gemini-3-flash": price(0.5, 3, 0.05),
    "gemini-3.1-pro": price(2, 12, 0.2, above(200_000, 4, 18, 0.4)),
    "gemini-3.1-flash-lite": price(0.25, 1.5),
    "gemini-3.5-flash": price(1.5, 9, 0.15),
  },
};

/** What may follow a listed name and still mean the same model: a date, a revision, `latest` or `preview`. */
const sameModel = /^$|^[-@](\d{3,}(-\d+)*|latest|preview([-\d]*))$/;

function ofProvider(list: typeof prices, provider: string): Readonly<Record<string, ModelPrice>> {
  return Object.hasOwn(list, provider) ? (list[provider] ?? {}) : {};
}

/**
 * The list price of a chat or embedding model: the longest listed name that the model's name is, or extends by a date or the like.
 * Null when there is none: a near name is no price.
 */
export function priceOf(provider: string, modelId: string): ModelPrice | null {
  let best: string | undefined;
  const listed = { ...ofProvider(prices, provider), ...ofProvider(embeddingPrices, provider) };
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
