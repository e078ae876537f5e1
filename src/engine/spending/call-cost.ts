import type { ChatModel, ModelPrice } from "../model/chat-model.ts";
import { priceOf } from "../model/prices.ts";
import { findModel } from "../models/known-models.ts";
import { vendorOf } from "../vendors/index.ts";
import { maxEmbeddingTokens, maxInputTokens, type MeasuredInput, type ModelInput } from "./input-tokens.ts";
import type { CallCost } from "./spending-limit.ts";

/**
 * Tokens of an answer under a spending limit where neither the node nor the vendor's record has a limit: few enough for every
 * server to take it as a limit.
 */
const defaultOutputLimit = 4_096;

/** Fewer tokens are no answer, and OpenAI's Responses API refuses them. */
const minOutputTokens = 16;

/**
 * Tokens that a model writes in a millisecond at most: what a cut answer took is not told, and vendors stop soon after nobody
 * listens. The fastest listed models write some 300 in a second.
 */
const maxTokensPerMs = 1;

/** What was booked for a call, in US dollars. */
export interface BookedAmount {
  usd: number;
  /** Of `usd`, for the input. */
  inputUsd: number;
  /** For each token of the answer. */
  outputTokenUsd: number;
}

/** What a call may have cost that was cut after so many milliseconds: its input, and what can have been written by then. */
export function cutCallUsd({ usd, inputUsd, outputTokenUsd }: BookedAmount, ms: number): number {
  return Math.min(usd, inputUsd + Math.max(0, ms) * maxTokensPerMs * outputTokenUsd);
}

/** What booking a call of a chat model takes. */
export interface BookableCall extends Pick<BookedAmount, "inputUsd" | "outputTokenUsd"> {
  cost: CallCost;
  /**
   * How many tokens the answer may have for so many US dollars, which the vendor is told; undefined where the node has a limit
   * of its own.
   */
  outputTokensFor(usd: number): number | undefined;
}

/** The longest answer of a model in tokens, thinking included, as its vendor documents it. */
export function outputLimitOf(list: string, modelId: string): number {
  return findModel(list, modelId)?.outputTokens ?? vendorOf(list)?.outputTokens ?? defaultOutputLimit;
}

/** The longest input of a model in tokens; null where it is not known. */
export function inputLimitOf(list: string, modelId: string): number | null {
  return findModel(list, modelId)?.inputTokens ?? null;
}

/**
 * What a call may cost: its input, estimated from above, and its answer. An answer has as many tokens as the node allows; where it
 * sets no limit, as many as the model writes, or as few as the spending limit leaves. Null where the price is not known.
 */
export function bookableCall(
  model: Pick<ChatModel, "provider" | "catalog" | "modelId" | "price" | "answerTokens">,
  request: ModelInput,
  measured?: MeasuredInput,
): BookableCall | null {
  const { provider, catalog = provider, modelId } = model;
  const price = model.price ?? priceOf(catalog, modelId);
  if (!price) return null;
  const input = maxInputTokens(request, model, measured);
  const rate = rateOf(price, input);
  const inputUsd = (input * rate.input) / 1_000_000;
  const outputTokenUsd = rate.output / 1_000_000;
  const { set = null, min = minOutputTokens, max = outputLimitOf(catalog, modelId) } = model.answerTokens ?? {};
  const maxUsd = inputUsd + (set ?? max) * outputTokenUsd;
  const minUsd = set === null ? inputUsd + Math.min(min, max) * outputTokenUsd : maxUsd;
  return {
    inputUsd,
    outputTokenUsd,
    cost: { minUsd, maxUsd },
    outputTokensFor(given) {
      if (set !== null) return undefined;
      if (given >= maxUsd) return max;
      return Math.max(Math.min(min, max), Math.floor((given - inputUsd) / outputTokenUsd + 1e-6));
    },
  };
}

/** What turning texts into vectors may cost; null where the model's price is not known. */
export function embeddingCallCost(price: ModelPrice | null, texts: readonly string[]): CallCost | null {
  if (!price) return null;
  const usd = (maxEmbeddingTokens(texts) * price.input) / 1_000_000;
  return { minUsd: usd, maxUsd: usd };
}

/** Whether a call costs nothing, whatever it takes. */
export function isFree({ input, output }: Pick<ModelPrice, "input" | "output">): boolean {
  return input === 0 && output === 0;
}

function rateOf(price: ModelPrice, inputTokens: number): Pick<ModelPrice, "input" | "output"> {
  return price.long && inputTokens > price.long.aboveTokens ? price.long : price;
}
