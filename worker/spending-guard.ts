import { z } from "zod/mini";
import { estimateMessageTokens, estimateTokens } from "../src/engine/model/estimate-tokens.ts";
import type { ModelPrice } from "../src/engine/model/chat-model.ts";
import { priceOf } from "../src/engine/model/prices.ts";
import type { EventOf, RunEvent } from "../src/engine/run/events.ts";
import type { RunErrorData } from "../src/engine/run/errors.ts";
import type { Appended, RunLimits } from "./run-queue.ts";

/** Tokens that an answer is taken to have at most where the request sets no limit. */
const usualMostOutput = 4_096;

/** Prices that were entered at model nodes, by node id. */
export type OwnPrices = ReadonlyMap<string, ModelPrice>;

const pricedNode = z.object({ id: z.string(), config: z.object({ inputPrice: z.number(), outputPrice: z.number() }) });

/** The prices that model nodes of these workflows have of their own. */
export function ownPricesOf(documents: readonly unknown[]): OwnPrices {
  const prices = new Map<string, ModelPrice>();
  for (const document of documents) {
    const parsed = z.object({ nodes: z.record(z.string(), z.unknown()) }).safeParse(document);
    for (const node of Object.values(parsed.data?.nodes ?? {})) {
      const { data } = pricedNode.safeParse(node);
      if (data) prices.set(data.id, { input: data.config.inputPrice, output: data.config.outputPrice });
    }
  }
  return prices;
}

/**
 * What a run has cost so far, with what the calls under way may cost at most: that much is booked before a call is made.
 * Models without a known price count nothing.
 */
export class SpendingGuard {
  private readonly ownPrices: OwnPrices;
  private spent = 0;
  private readonly underWay = new Map<string, number>();

  constructor(ownPrices: OwnPrices = new Map()) {
    this.ownPrices = ownPrices;
  }

  add(event: RunEvent): void {
    if (event.replayed) return;
    if (event.type === "model-request") this.underWay.set(event.callId, mostOf(event, this.ownPrices));
    else if (event.type === "embedding") this.spent += event.costUsd ?? 0;
    else if (event.type === "model-response") {
      this.underWay.delete(event.callId);
      this.spent += event.costUsd ?? 0;
    }
  }

  get usd(): number {
    let sum = this.spent;
    for (const most of this.underWay.values()) sum += most;
    return sum;
  }
}

function mostOf(event: EventOf<"model-request">, ownPrices: OwnPrices): number {
  const { provider, model, modelNodeId, messages, tools, settings } = event;
  // Nodes of a workflow that runs inside another have the ids of what runs it before their own.
  const price = ownPrices.get(modelNodeId.split("/").at(-1) ?? "") ?? priceOf(provider, model);
  if (!price) return 0;
  const input = messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0);
  const described = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
  const output = amount(settings["maxTokens"], usualMostOutput) + amount(settings["thinkingBudget"], 0);
  return ((input + described) * price.input + output * price.output) / 1_000_000;
}

function amount(value: unknown, instead: number): number {
  return typeof value === "number" && value > 0 ? value : instead;
}

const names = {
  run: "one run",
  day: "one day (UTC)",
  month: "one month (UTC)",
  keyDay: "one day (UTC) of the API key",
  keyMonth: "one month (UTC) of the API key",
} as const;

/** Why a run ends whose next call could pass a spending limit. */
export function capError(cap: NonNullable<Appended["cap"]>, limits: RunLimits): RunErrorData {
  const isOfKey = cap === "keyDay" || cap === "keyMonth";
  const most = isOfKey ? undefined : { run: limits.runUsd, day: limits.dayUsd, month: limits.monthUsd }[cap];
  const amount = most === undefined ? "" : ` of $${most}`;
  return {
    code: "budget",
    message: `The next model call could exceed the spending limit${amount} for ${names[cap]}, so it was not made.`,
    hint: isOfKey
      ? "Use another API key, or wait until the period is over."
      : "Raise the limit in the workflow's publishing settings, or wait until the period is over.",
    retryable: false,
  };
}
