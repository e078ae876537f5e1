import { userMessage } from "../../model/message.ts";
import { totalTokens } from "../../model/usage.ts";
import {
  type AgentEnding,
  costBudgetEnding,
  iterationLimitEnding,
  refusedEnding,
  roundLimitEnding,
  tokenBudgetEnding,
} from "../ending.ts";
import { RunError } from "../../errors.ts";
import type { Execution, Interceptor } from "../execution.ts";
import { iterationsPerReview } from "../agent-settings.ts";
import type { ToolTurnInterceptor } from "../tool-call/call-tools.ts";
import { doneMark, finalInstruction, nextRoundMessage, reviewMessage, reviewQuestion } from "./instructions.ts";
import type { AgentLoop } from "./prepare-turn.ts";

/** How the agent's rounds ended: with the model's answer, or early (`ending`) with the text that there was. */
export interface RoundResult {
  text: string;
  ending?: AgentEnding;
  /** The text is the agent's own, since the model gave none. */
  unanswered?: true;
}

/** Which iteration it is within its round, and which round; both from 1. */
export interface IterationPlace {
  iteration: number;
  round: number;
}

/** What follows an iteration: nothing, as the agent is done, or another one in the same round or in the next. */
export type IterationEnd = { over: RoundResult; next?: never } | { over?: never; next: "iteration" | "round" };

/** Stands around an iteration. */
type IterationInterceptor = Interceptor<IterationPlace, IterationEnd>;

/** What stands around each iteration, the first one outermost. */
export function aroundIteration(loop: AgentLoop, rounds: Rounds): IterationInterceptor[] {
  return [
    warnOfUncheckedBudget(loop),
    logIteration(loop),
    answerAtLimit(loop, rounds),
    stopAtBudget(loop, rounds),
    reviewIteration(loop, rounds),
  ];
}

/** Decides after each round whether the agent is done. */
export interface Rounds {
  /** What follows an answer, which ends its round. */
  settle(answer: RoundResult): IterationEnd;
  /** The end of an agent that stops before it is done. */
  stop(result: RoundResult): IterationEnd;
  /** The text of the last round. */
  lastText(): string;
}

/** The rounds of one execution: a single one unless the settings ask for more. */
export function createRounds({ run, progress }: Execution): Rounds {
  const { autoIterate, maxRounds } = run.settings;
  let last = "";

  /** A result as the user reads it. A model may answer with nothing but the mark: then the round before holds the text. */
  function unmarked(result: RoundResult): RoundResult {
    if (!autoIterate) return result;
    const text = result.text.replaceAll(doneMark, "").trimEnd();
    last = text.trim() === "" ? last : text;
    return { ...result, text: last };
  }

  return {
    settle(answer) {
      const over = unmarked(answer);
      // A later round that added nothing leaves the result of the one before.
      if (answer.ending?.finish === "empty" && over.text.trim() !== "") return { over: { text: over.text } };
      if (!autoIterate || answer.ending || answer.text.includes(doneMark)) return { over };
      if (progress.round < maxRounds) return { next: "round" };
      return { over: { text: last, ending: roundLimitEnding(run.nodeId, maxRounds) } };
    },
    stop: (result) => ({ over: unmarked(result) }),
    lastText: () => last,
  };
}

/** Tells the log, once in a round, of a budget that cannot be checked. */
function warnOfUncheckedBudget(execution: Execution): IterationInterceptor {
  let warned = false;
  return async (place, next) => {
    const end = await next(place);
    if (end.over) return end;
    const unchecked = end.next === "iteration" ? uncheckedBudget(execution) : null;
    if (unchecked !== null && !warned)
      execution.warn(unchecked, "Set a cost budget with a price on the model node, or choose another server.");
    warned = end.next === "iteration" && (warned || unchecked !== null);
    return end;
  };
}

/** Tells the log of each iteration's begin and end. */
function logIteration({ run, finishAfter }: AgentLoop): IterationInterceptor {
  const { nodeId, settings } = run;
  return async (place, next) => {
    run.emit({ type: "iteration-start", nodeId, ...place, maxIterations: settings.maxIterations });
    try {
      const end = await next(place);
      const ending = end.over?.ending;
      const finish = end.over && (ending?.finish ?? "completed");
      run.emit({ type: "iteration-end", nodeId, ...place, finish, ...(ending ? { ending } : {}) });
      return end;
    } catch (error) {
      run.emit({ type: "iteration-end", nodeId, ...place, finish: finishAfter(error) });
      throw error;
    }
  };
}

/** Ends the agent at the iteration limit, with an answer without further tools or with what there is. */
function answerAtLimit(loop: AgentLoop, rounds: Rounds): IterationInterceptor {
  const { run, conversation, progress } = loop;
  const { maxIterations, onIterationLimit } = run.settings;
  const ending = iterationLimitEnding(run.nodeId, maxIterations);

  async function lastResult(): Promise<RoundResult> {
    if (onIterationLimit === "stop") return { text: progress.lastText, ending };
    const answer = await loop.askModel("final", [...conversation.messages(), userMessage(finalInstruction)]);
    const text = answer.text.trim() || progress.lastText;
    if (answer.finishReason === "content-filter") return { text, ending: refusedEnding(answer.rawFinishReason) };
    if (text !== "") return { text, ending };
    const apology = `The agent reached its limit of ${maxIterations} iterations before it had an answer.`;
    return { text: apology, ending, unanswered: true };
  }

  return async (place, next) => {
    const end = await next(place);
    const isAtLimit = !end.over && end.next === "iteration" && place.iteration === maxIterations;
    return isAtLimit ? rounds.stop(await lastResult()) : end;
  };
}

/** Stops the agent where a budget is spent: before an iteration, before what follows it, and where a call has no room left. */
function stopAtBudget(execution: Execution, rounds: Rounds): IterationInterceptor {
  const { progress } = execution;
  const stop = (ending: AgentEnding) => rounds.stop({ text: progress.lastText, ending });
  return async (place, next) => {
    const spentBefore = spentBudget(execution);
    if (spentBefore) return stop(spentBefore);
    let end: IterationEnd;
    try {
      end = await next(place);
    } catch (error) {
      return stop(endingAtBudget(execution, error));
    }
    const spent = end.over ? undefined : spentBudget(execution);
    return spent ? stop(spent) : end;
  };
}

/** Makes no tool calls once a budget is spent, since their results could not be used any more. */
export function callWithinBudget(execution: Execution): ToolTurnInterceptor {
  return (asked, next) => {
    const ending = spentBudget(execution);
    return ending ? Promise.resolve({ messages: [], cut: new Set(), ending }) : next(asked);
  };
}

/** Has the model review its work where that is due, and gives it what the next iteration begins with. */
function reviewIteration(loop: AgentLoop, rounds: Rounds): IterationInterceptor {
  const { run, conversation, progress } = loop;
  const { reflection, reflectionPrompt } = run.settings;
  const frequency = iterationsPerReview(run.settings);

  /** The model's review of what was done so far; empty when it had nothing to say. */
  async function review(): Promise<string> {
    const question = userMessage(reviewQuestion(reflectionPrompt));
    const { text } = await loop.askModel("reflection", [...conversation.messages(), question]);
    if (text.trim() === "") return "";
    progress.reflections.push(text);
    run.emit({ type: "reflection", nodeId: run.nodeId, iteration: progress.iteration, text });
    return text;
  }

  return async (place, next) => {
    const end = await next(place);
    if (end.over) return end;
    const said = reflection && progress.iterations % frequency === 0 ? await review() : "";
    if (end.next === "round") conversation.addUser(nextRoundMessage(rounds.lastText(), said));
    else if (said !== "") conversation.addUser(reviewMessage(said));
    return end;
  };
}

/** Why no further model call may be made; undefined while one may. */
export function spentBudget({ run, progress }: Execution): AgentEnding | undefined {
  const { maxTotalTokens } = run.settings;
  const { budget } = run;
  const tokens = totalTokens(progress.usage);
  if (maxTotalTokens !== null && tokens >= maxTotalTokens) return tokenBudgetEnding(run.nodeId, tokens, maxTotalTokens);
  if (budget && budget.spentUsd >= budget.maxUsd) return costBudgetEnding(run.nodeId, budget.spentUsd, budget.maxUsd);
  return undefined;
}

/** How the agent ends where its own cost budget has no room for a call. Throws any other error. */
export function endingAtBudget({ run }: Execution, error: unknown): AgentEnding {
  const { budget, nodeId } = run;
  const isOwn = error instanceof RunError && error.data.code === "budget" && error.data.nodeId === nodeId;
  if (!isOwn || !budget) throw error;
  return costBudgetEnding(nodeId, budget.spentUsd, budget.maxUsd);
}

/** Whether a budget is set that cannot be checked, because the model does not tell what it used. */
function uncheckedBudget({ run, progress }: Execution): string | null {
  const { maxTotalTokens } = run.settings;
  if (maxTotalTokens !== null && progress.iterations > 0 && totalTokens(progress.usage) === 0)
    return "The token budget cannot be checked, since the model reports no token usage.";
  return null;
}
