import { toolCalls, userMessage } from "../../model/message.ts";
import { totalTokens } from "../../model/usage.ts";
import { RunError } from "../../run/errors.ts";
import {
  type AgentEnding,
  type AgentFinish,
  brokenOffEnding,
  costBudgetEnding,
  iterationLimitEnding,
  lengthEnding,
  loopEnding,
  refusedEnding,
  roundLimitEnding,
  tokenBudgetEnding,
} from "../ending.ts";
import type { AgentLoop } from "./agent-loop.ts";
import { doneMark, finalInstruction, nextRoundMessage, reviewMessage, reviewQuestion } from "./instructions.ts";

/** How a round ended: with the model's answer, or early (`ending`) with the text that there was. */
export interface RoundResult {
  text: string;
  ending?: AgentEnding;
  /** The text is the agent's own, since the model gave none. */
  unanswered?: true;
}

/**
 * Runs rounds of iterations until the model answers, a limit is reached, a budget is spent or a loop is seen. Rejects with a
 * RunError when the model fails for good and when the deadline aborts.
 */
export async function runRounds(loop: AgentLoop): Promise<RoundResult> {
  const { run, progress, deadline } = loop;
  const { nodeId } = run;
  const { maxIterations } = run.settings;
  const rounds = createRounds(loop);
  let warned = false;
  for (;;) {
    deadline.signal.throwIfAborted();
    progress.iteration += 1;
    const place = { nodeId, iteration: progress.iteration, round: progress.round };
    run.emit({ type: "iteration-start", ...place, maxIterations });
    try {
      const { over, nextRound } = await step(loop, rounds);
      const ending = over?.ending;
      const finish = over && (ending?.finish ?? "completed");
      run.emit({ type: "iteration-end", ...place, finish, ...(ending ? { ending } : {}) });
      if (over) return over;
      if (nextRound) {
        progress.round += 1;
        progress.iteration = 0;
        warned = false;
        continue;
      }
    } catch (error) {
      run.emit({ type: "iteration-end", ...place, finish: failureFinish(loop, error) });
      throw error;
    }
    const unchecked = uncheckedBudget(loop);
    if (unchecked !== null && !warned) {
      warned = true;
      loop.warn(unchecked, "Enter its prices on the model node; for embeddings, choose a model whose price is listed.");
    }
  }
}

/**
 * Runs one iteration with its review and limits. Gives the agent's result, or whether the next iteration begins a new
 * round.
 */
async function step(loop: AgentLoop, rounds: Rounds): Promise<{ over?: RoundResult; nextRound: boolean }> {
  const { run, conversation, progress } = loop;
  const { settings } = run;
  const over = (result: RoundResult) => ({ over: rounds.settle(result) ?? result, nextRound: false });
  const spentBefore = spentBudget(loop);
  if (spentBefore) return over(spentBefore);
  progress.iterations += 1;
  const answer = await iterate(loop);
  const result = answer && rounds.settle(answer);
  if (result) return { over: result, nextRound: false };
  const reviewIsDue = settings.reflection && progress.iterations % settings.reflectionFrequency === 0;
  const review = reviewIsDue ? await reflect(loop) : "";
  if (answer) conversation.addUser(rounds.nextInput(review));
  else if (review !== "") conversation.addUser(reviewMessage(review));
  const spent = spentBudget(loop);
  if (spent) return over(spent);
  if (!answer && progress.iteration === settings.maxIterations) return over(await atLimit(loop));
  return { nextRound: answer !== undefined };
}

/** One iteration: a model call and the tool calls it asks for. Undefined when the loop goes on. */
async function iterate(loop: AgentLoop): Promise<RoundResult | undefined> {
  const { run, conversation, progress } = loop;
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
  // Checked before the calls, since their results could not be used any more.
  const spent = spentBudget(loop);
  if (spent) return spent;
  const { messages, looped } = await loop.callTools(calls, answer);
  conversation.append(...messages);
  if (looped === undefined) return undefined;
  const times = run.settings.repeatedCallLimit * 2;
  return { text: progress.lastText, ending: loopEnding(run.nodeId, looped, times) };
}

/** The model's review of what was done so far; empty when it had nothing to say. */
async function reflect(loop: AgentLoop): Promise<string> {
  const { run, conversation, progress } = loop;
  const question = userMessage(reviewQuestion(run.settings.reflectionPrompt));
  const { text } = await loop.askModel("reflection", [...conversation.messages(), question]);
  if (text.trim() === "") return "";
  progress.reflections.push(text);
  run.emit({ type: "reflection", nodeId: run.nodeId, iteration: progress.iteration, text });
  return text;
}

/** The answer at the iteration limit: without further tools, or what there is. */
async function atLimit(loop: AgentLoop): Promise<RoundResult> {
  const { run, conversation, progress } = loop;
  const { maxIterations, onIterationLimit } = run.settings;
  const ending = iterationLimitEnding(run.nodeId, maxIterations);
  if (onIterationLimit === "stop") return { text: progress.lastText, ending };
  const answer = await loop.askModel("final", [...conversation.messages(), userMessage(finalInstruction)]);
  const text = answer.text.trim() || progress.lastText;
  if (answer.finishReason === "content-filter") return { text, ending: refusedEnding(answer.rawFinishReason) };
  if (text !== "") return { text, ending };
  const apology = `The agent reached its limit of ${maxIterations} iterations before it had an answer.`;
  return { text: apology, ending, unanswered: true };
}

/** Decides after each round whether the agent is done. */
interface Rounds {
  /** The agent's result when this was its last round; undefined when another one follows. */
  settle(result: RoundResult): RoundResult | undefined;
  /** The next round's input, with the review of the last one where there was one. */
  nextInput(review: string): string;
}

/** The rounds of one execution: a single one unless the settings ask for more. */
function createRounds({ run, progress }: AgentLoop): Rounds {
  const { autoIterate, maxRounds } = run.settings;
  let last = "";
  return {
    settle(result) {
      if (!autoIterate) return result;
      const text = result.text.replaceAll(doneMark, "").trimEnd();
      // A model may answer with nothing but the mark: then the round before holds the result.
      last = text.trim() === "" ? last : text;
      if (result.text.includes(doneMark) || result.ending) return { ...result, text: last };
      if (progress.round < maxRounds) return undefined;
      return { text: last, ending: roundLimitEnding(run.nodeId, maxRounds) };
    },
    nextInput: (review) => nextRoundMessage(last, review),
  };
}

/** Why no further model call may be made; undefined while one may. */
function spentBudget({ run, progress }: AgentLoop): RoundResult | undefined {
  const { nodeId, settings } = run;
  const { maxTotalTokens, maxCostUsd } = settings;
  const { costUsd, lastText: text } = progress;
  const tokens = totalTokens(progress.usage);
  if (maxTotalTokens !== null && tokens >= maxTotalTokens)
    return { text, ending: tokenBudgetEnding(nodeId, tokens, maxTotalTokens) };
  if (maxCostUsd !== null && costUsd !== null && costUsd >= maxCostUsd)
    return { text, ending: costBudgetEnding(nodeId, costUsd, maxCostUsd) };
  return undefined;
}

/** Whether a budget is set that cannot be checked, because the model's price or its usage is not known. */
function uncheckedBudget({ run, progress }: AgentLoop): string | null {
  const { maxTotalTokens, maxCostUsd } = run.settings;
  if (maxCostUsd !== null && progress.costUsd === null)
    return "The cost budget cannot be checked, since the price of a model that it uses is not known.";
  if (maxTotalTokens !== null && progress.iterations > 0 && totalTokens(progress.usage) === 0)
    return "The token budget cannot be checked, since the model reports no token usage.";
  return null;
}

function failureFinish(loop: AgentLoop, error: unknown): AgentFinish {
  const code = error instanceof RunError ? error.data.code : undefined;
  if (!loop.deadline.signal.aborted) return code === "content_filter" ? "refused" : "error";
  return code === "cancelled" ? "cancelled" : "timeout";
}
