import { toolCalls, userMessage } from "../../model/message.ts";
import { RunError } from "../../run/errors.ts";
import { type AgentFinish, brokenOffEnding, iterationLimitEnding, lengthEnding, refusedEnding } from "../ending.ts";
import { type Execute, intercepted } from "../interceptor.ts";
import { stopAtBudget, warnOfUncheckedBudget } from "./budget.ts";
import { finalInstruction, nextRoundMessage, reviewMessage, reviewQuestion } from "./instructions.ts";
import type { AgentLoop } from "./prepare-turn.ts";
import {
  createRounds,
  type IterationEnd,
  type IterationInterceptor,
  type IterationPlace,
  type RoundResult,
  type Rounds,
} from "./rounds.ts";

/**
 * Runs rounds of iterations until the model answers, a limit is reached, a budget is spent or a loop is seen. Rejects with a
 * RunError when the model fails for good and when the deadline aborts.
 */
export async function runRounds(loop: AgentLoop): Promise<RoundResult> {
  const { progress, deadline } = loop;
  const iterate = createIteration(loop);
  for (;;) {
    deadline.signal.throwIfAborted();
    progress.iteration += 1;
    const end = await iterate({ iteration: progress.iteration, round: progress.round });
    if (end.over) return end.over;
    if (end.next === "round") {
      progress.round += 1;
      progress.iteration = 0;
    }
  }
}

/** Makes what runs one iteration, with all that stands around it. */
function createIteration(loop: AgentLoop): Execute<IterationPlace, IterationEnd> {
  const { progress } = loop;
  const rounds = createRounds(loop);
  async function iterate(): Promise<IterationEnd> {
    progress.iterations += 1;
    const answer = await askAndCall(loop);
    return answer ? rounds.settle(answer) : { next: "iteration" };
  }
  return intercepted(iterate, [
    warnOfUncheckedBudget(loop),
    logIteration(loop),
    answerAtLimit(loop, rounds),
    stopAtBudget(loop, rounds),
    reviewIteration(loop, rounds),
  ]);
}

/** A model call and the tool calls that it asks for: the round's result, or undefined when the round goes on. */
async function askAndCall(loop: AgentLoop): Promise<RoundResult | undefined> {
  const { conversation, progress } = loop;
  const answer = await loop.askModel("answer", conversation.messages());
  conversation.append(answer.message);
  const text = progress.continued + answer.text;
  if (text.trim() !== "") progress.lastText = text;
  const calls = toolCalls(answer.message);
  // The vendor has to be called again to continue this turn.
  progress.continued = answer.finishReason === "pause" && calls.length === 0 ? text : "";
  const { finishReason, rawFinishReason } = answer;
  if (finishReason === "content-filter") return { text, ending: refusedEnding(rawFinishReason) };
  if (calls.length === 0) {
    if (finishReason === "pause") return undefined;
    if (finishReason === "length")
      return { text: progress.lastText, ending: lengthEnding(answer.modelNodeId, rawFinishReason) };
    if (finishReason === "other") return { text, ending: brokenOffEnding(rawFinishReason) };
    if (text.trim() === "")
      loop.warn("The model gave an empty answer.", "Try again, raise its maximum tokens, or choose another model.");
    return { text };
  }
  const { messages, ending } = await loop.callTools({ calls, answer });
  conversation.append(...messages);
  return ending && { text: progress.lastText, ending };
}

/** Tells the log of each iteration's begin and end. */
function logIteration({ run, deadline }: AgentLoop): IterationInterceptor {
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
      run.emit({ type: "iteration-end", nodeId, ...place, finish: failureFinish(error, deadline.signal) });
      throw error;
    }
  };
}

function failureFinish(error: unknown, { aborted }: AbortSignal): AgentFinish {
  const code = error instanceof RunError ? error.data.code : undefined;
  if (!aborted) return code === "content_filter" ? "refused" : "error";
  return code === "cancelled" ? "cancelled" : "timeout";
}

/** Has the model review its work where that is due, and gives it what the next iteration begins with. */
function reviewIteration(loop: AgentLoop, rounds: Rounds): IterationInterceptor {
  const { run, conversation, progress } = loop;
  const { reflection, reflectionFrequency, reflectionPrompt } = run.settings;

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
    const said = reflection && progress.iterations % reflectionFrequency === 0 ? await review() : "";
    if (end.next === "round") conversation.addUser(nextRoundMessage(rounds.lastText(), said));
    else if (said !== "") conversation.addUser(reviewMessage(said));
    return end;
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
