import type { RunErrorData } from "../errors.ts";

/** Why an agent stopped (SPEC §3.2). */
export const agentFinishes = [
  "completed",
  "empty",
  "max_iterations",
  "max_rounds",
  "length",
  "refused",
  "timeout",
  "budget",
  "loop_detected",
  "cancelled",
  "error",
] as const;

/** One of `agentFinishes`. */
export type AgentFinish = (typeof agentFinishes)[number];

/** Every finish but the plain one. */
export type EarlyFinish = Exclude<AgentFinish, "completed">;

/** An agent's stop before it was done, in words for people: what happened, what to do, and which setting decides it. */
export interface AgentEnding {
  finish: EarlyFinish;
  /** One sentence, such as "Stopped after 10 iterations." */
  message: string;
  /** One sentence. */
  hint: string;
  /** The field that decides; `action` is the label of the way to it, such as "Raise the limit". */
  setting?: { nodeId: string; field: string; action: string };
}

/** The model was still calling tools at the iteration limit. */
export function iterationLimitEnding(nodeId: string, limit: number): AgentEnding {
  return {
    finish: "max_iterations",
    message: `Stopped after ${counted(limit, "iteration")}.`,
    hint: "Raise the agent's iteration limit if it should go further.",
    setting: { nodeId, field: "maxIterations", action: "Raise the limit" },
  };
}

/** The last round ended without the model saying that it is done. */
export function roundLimitEnding(nodeId: string, limit: number): AgentEnding {
  return {
    finish: "max_rounds",
    message: `Stopped after ${counted(limit, "round")}, before the model said it was done.`,
    hint: "Raise the agent's round limit if it should go further.",
    setting: { nodeId, field: "maxRounds", action: "Raise the limit" },
  };
}

/** The model calls have used as many tokens as they may. */
export function tokenBudgetEnding(nodeId: string, tokens: number, limit: number): AgentEnding {
  return budgetEnding(nodeId, "maxTotalTokens", `Stopped at the token budget: ${tokens} of ${limit} tokens.`);
}

/** The model calls have cost as much as they may, in US dollars, or the next one could cost more than is left. */
export function costBudgetEnding(nodeId: string, costUsd: number, limit: number): AgentEnding {
  const left = costUsd < limit ? ", and the next call could cost more than is left" : "";
  return budgetEnding(nodeId, "maxCostUsd", `Stopped at the cost budget: $${costUsd.toFixed(4)} of $${limit}${left}.`);
}

/** The same for whoever makes the call. The agent that has the budget ends with what it has. */
export function budgetError(nodeId: string, costUsd: number, limit: number): RunErrorData {
  const { message, hint } = costBudgetEnding(nodeId, costUsd, limit);
  return { code: "budget", message, hint, retryable: false, nodeId };
}

function budgetEnding(nodeId: string, field: string, message: string): AgentEnding {
  const hint = "Raise the agent's budget if it should go further.";
  return { finish: "budget", message, hint, setting: { nodeId, field, action: "Raise the budget" } };
}

/** The same call came with the same result too often. */
export function loopEnding(nodeId: string, toolName: string, times: number): AgentEnding {
  return {
    finish: "loop_detected",
    message: `Stopped because the model made the same call of ${toolName} ${times} times with the same result.`,
    hint: "Tell the model in the system prompt what to do with that result, or raise the repeated call limit.",
    setting: { nodeId, field: "repeatedCallLimit", action: "Change the limit" },
  };
}

/** The answer did not fit; `rawFinishReason` is the vendor's own word. */
export function lengthEnding(modelNodeId: string, rawFinishReason: string | undefined): AgentEnding {
  if (rawFinishReason === "model_context_window_exceeded")
    return {
      finish: "length",
      message: "The answer was cut off because the conversation fills the model's context window.",
      hint: "Let the memory keep fewer messages, shorten tool results, or choose a model with a longer context.",
    };
  return {
    finish: "length",
    message: "The answer was cut off at the model's token limit.",
    hint: "Raise the maximum tokens of the model node.",
    setting: { nodeId: modelNodeId, field: "maxTokens", action: "Raise the limit" },
  };
}

/** The model declined, or a content filter cut its answer short. */
export function refusedEnding(rawFinishReason: string | undefined): AgentEnding {
  const filtered = rawFinishReason !== undefined && !/refus/i.test(rawFinishReason);
  return {
    finish: "refused",
    message: filtered
      ? `The answer was stopped by a content filter (${short(rawFinishReason)}).`
      : "The model declined to answer.",
    hint: "Rephrase the message or the system prompt, or choose another model.",
  };
}

/** The model answered with nothing, also when it was asked once more. */
export function emptyEnding(): AgentEnding {
  return {
    finish: "empty",
    message: "The model gave an empty answer.",
    hint: "Try again, say in the system prompt what an answer looks like, or choose another model.",
  };
}

/** The model stopped for a reason that is no plain end, with part of an answer. */
export function brokenOffEnding(rawFinishReason: string | undefined): AgentEnding {
  return {
    finish: "error",
    message: `The model stopped before its answer was complete (${rawFinishReason === undefined ? "it gave no reason" : short(rawFinishReason)}).`,
    hint: "Try again, or choose another model.",
  };
}

const why: Record<EarlyFinish, string> = {
  empty: "the model gave no answer",
  max_iterations: "the step limit was reached",
  max_rounds: "the round limit was reached",
  length: "it was cut off at the token limit",
  refused: "it was declined or filtered",
  timeout: "the time limit was reached",
  budget: "the budget was spent",
  loop_detected: "the same tool call kept repeating",
  cancelled: "it was stopped",
  error: "the model failed",
};

/** What a model reads after an answer of an earlier turn that ended early. */
export function incompleteNote(finish: EarlyFinish): string {
  return `[This turn ended early because ${why[finish]}; its answer may be incomplete.]`;
}

/** A vendor's word as a sentence has room for it. */
function short(word: string): string {
  return word.length > 80 ? `${word.slice(0, 80)}…` : word;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
