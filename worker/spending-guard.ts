import { estimateMessageTokens, estimateTokens } from "../src/engine/model/estimate-tokens.ts";
import { priceOf } from "../src/engine/model/prices.ts";
import type { EventOf, RunEvent } from "../src/engine/run/events.ts";
import type { RunErrorData } from "../src/engine/run/errors.ts";
import type { Appended, RunLimits } from "./run-queue.ts";

/** Tokens that an answer is taken to have at most where the request sets no limit. */
const usualMostOutput = 4_096;

/**
 * What a run has cost so far, with what the calls under way may cost at most: that much is booked before a call is made.
 * Models without a known price count nothing.
 */
export class SpendingGuard {
  private spent = 0;
  private readonly underWay = new Map<string, number>();

  add(event: RunEvent): void {
    if (event.replayed) return;
    if (event.type === "model-request") this.underWay.set(event.callId, mostOf(event));
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

function mostOf({ provider, model, messages, tools, settings }: EventOf<"model-request">): number {
  const price = priceOf(provider, model);
  if (!price) return 0;
  const input = messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0);
  const described = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
  const output = amount(settings["maxTokens"], usualMostOutput) + amount(settings["thinkingBudget"], 0);
  return ((input + described) * price.input + output * price.output) / 1_000_000;
}

function amount(value: unknown, instead: number): number {
  return typeof value === "number" && value > 0 ? value : instead;
}

const names = { run: "one run", day: "one day (UTC)", month: "one month (UTC)" } as const;

/** Why a run ends whose next call could pass a spending limit. */
export function capError(cap: NonNullable<Appended["cap"]>, limits: RunLimits): RunErrorData {
  const most = { run: limits.runUsd, day: limits.dayUsd, month: limits.monthUsd }[cap];
  const amount = most === undefined ? "" : ` of $${most}`;
  return {
    code: "budget",
    message: `The next model call could pass the spending limit${amount} for ${names[cap]}, so it was not made.`,
    hint: "Raise the limit in the workflow's publishing settings, or wait until the period is over.",
    retryable: false,
  };
}
