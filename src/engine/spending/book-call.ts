import type { Host } from "../host.ts";
import type { ChatModel, ModelPrice } from "../model/chat-model.ts";
import type { RunErrorData } from "../errors.ts";
import { bookableCall, type BookedAmount, cutCallUsd, embeddingCallCost, isFree } from "./call-cost.ts";
import type { MeasuredInput, ModelInput } from "./input-tokens.ts";
import { type CallCost, reserveWithin, type SpendingLimit, unknownPriceError } from "./spending-limit.ts";

/** Who makes a call: with which budgets besides the host's, and at which node. */
export interface Caller {
  host: Pick<Host, "spending" | "allowsUnknownPrices">;
  /** The innermost first. */
  spending: readonly SpendingLimit[];
  /** The node where a price is missing. */
  nodeId?: string | undefined;
  signal: AbortSignal;
}

/** A call that may be made. */
export interface BookedCall {
  ok: true;
  /** Absent where nothing limits the call. */
  amount?: BookedAmount;
  /** For the vendor; absent where the model's settings have a limit, or nothing limits the call. */
  maxOutputTokens?: number;
  /** No limit counts it, since its price is not known. */
  isUncounted?: true;
  /** Tells what the call has cost; null where that is not known, as of an answer that was cut after `ms` milliseconds. */
  settle(costUsd: number | null, ms?: number): void;
}

/** A call that is booked, or why it may not be made. */
export type Booking = BookedCall | { ok: false; error: RunErrorData };

const unlimited: BookedCall = { ok: true, settle: () => undefined };

/** Books a call of a chat model; at once where nothing limits it. `measured`: one that it may go on with. Rejects with the signal's reason. */
export function bookModelCall(
  model: ChatModel,
  request: ModelInput,
  caller: Caller,
  measured?: MeasuredInput,
): Booking | Promise<Booking> {
  const limits = limitsOf(caller);
  if (limits.length === 0 || (model.price && isFree(model.price))) return unlimited;
  const call = bookableCall(model, request, measured);
  if (call === null) return bookUnknown(limits, model.modelId, caller);
  return bookKnown(limits, call.cost, caller, (usd) => {
    const { inputUsd, outputTokenUsd } = call;
    const maxOutputTokens = usd === Infinity ? undefined : call.outputTokensFor(usd);
    return {
      amount: { usd: Math.min(usd, call.cost.maxUsd), inputUsd, outputTokenUsd },
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    };
  });
}

/** Books a request for vectors. Rejects with the signal's reason. */
export function bookEmbedding(
  { name, price }: { name: string; price: ModelPrice | null },
  texts: readonly string[],
  caller: Caller,
): Booking | Promise<Booking> {
  const limits = limitsOf(caller);
  if (limits.length === 0) return unlimited;
  const cost = embeddingCallCost(price, texts);
  if (cost === null) return bookUnknown(limits, name, caller);
  const amount = { usd: cost.maxUsd, inputUsd: cost.maxUsd, outputTokenUsd: 0 };
  return bookKnown(limits, cost, caller, () => ({ amount }));
}

/** Books a transcription of at most so many seconds. Rejects with the signal's reason. */
export function bookTranscription(
  { name, perMinuteUsd }: { name: string; perMinuteUsd: number | null },
  seconds: number,
  caller: Caller,
): Booking | Promise<Booking> {
  const limits = limitsOf(caller);
  if (limits.length === 0) return unlimited;
  if (perMinuteUsd === null) return bookUnknown(limits, name, caller);
  const usd = (perMinuteUsd * seconds) / 60;
  const amount = { usd, inputUsd: usd, outputTokenUsd: 0 };
  return bookKnown(limits, { minUsd: usd, maxUsd: usd }, caller, () => ({ amount }));
}

/** Books a request that puts texts into order, by the most that it can cost. Rejects with the signal's reason. */
export function bookRerank(
  { name, maxUsd: usd }: { name: string; maxUsd: number | null },
  caller: Caller,
): Booking | Promise<Booking> {
  const limits = limitsOf(caller);
  if (limits.length === 0) return unlimited;
  if (usd === null) return bookUnknown(limits, name, caller);
  const amount = { usd, inputUsd: usd, outputTokenUsd: 0 };
  return bookKnown(limits, { minUsd: usd, maxUsd: usd }, caller, () => ({ amount }));
}

function limitsOf({ host, spending }: Caller): readonly SpendingLimit[] {
  return host.spending ? [...spending, host.spending] : spending;
}

async function bookKnown(
  limits: readonly SpendingLimit[],
  cost: CallCost,
  { signal }: Caller,
  terms: (usd: number) => Pick<BookedCall, "maxOutputTokens"> & { amount: BookedAmount },
): Promise<Booking> {
  if (cost.maxUsd === 0) return unlimited;
  const given = await reserveWithin(limits, cost, signal);
  if (!given.ok) return given;
  const { amount, maxOutputTokens } = terms(given.usd);
  const settle: BookedCall["settle"] = (costUsd, ms = Infinity) => given.settle(costUsd ?? cutCallUsd(amount, ms));
  if (given.usd === Infinity) return { ok: true, settle };
  return { ok: true, amount, settle, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) };
}

/** A call whose price is not known goes through where nothing limits it, or where that is allowed. */
async function bookUnknown(
  limits: readonly SpendingLimit[],
  model: string,
  { host, nodeId, signal }: Caller,
): Promise<Booking> {
  if (host.allowsUnknownPrices) return { ...unlimited, isUncounted: true };
  const given = await reserveWithin(limits, null, signal);
  if (!given.ok) return { ok: false, error: unknownPriceError(model, nodeId) };
  return {
    ok: true,
    settle: (costUsd) => given.settle(costUsd ?? 0),
    ...(given.isUncounted ? { isUncounted: true } : {}),
  };
}
