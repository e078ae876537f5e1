import { toolCalls, userMessage } from "../../model/message.ts";
import { RunError } from "../../run/errors.ts";
import { type AgentLoop, askModel, currentToolChoice } from "./agent-loop.ts";
import { spentBudget, uncheckedBudget } from "./budgets.ts";
import {
  type AgentFinish,
  brokenOffEnding,
  iterationLimitEnding,
  lengthEnding,
  loopEnding,
  refusedEnding,
} from "../ending.ts";
import { finalInstruction, reviewMessage, reviewQuestion } from "./instructions.ts";
import { createRounds, type RoundResult, type Rounds } from "./rounds.ts";

function budgetEnd({ run, progress }: AgentLoop): RoundResult | undefined {
  const ending = spentBudget(run.settings, progress, run.nodeId);
  return ending === null ? undefined : { text: progress.lastText, ending };
}

function failureFinish(loop: AgentLoop, error: unknown): AgentFinish {
  const code = error instanceof RunError ? error.data.code : undefined;
  if (!loop.deadline.signal.aborted) return code === "content_filter" ? "refused" : "error";
  return code === "cancelled" ? "cancelled" : "timeout";
}

/** The model's review of what was done so far; empty when it had nothing to say. */
async function reflect(loop: AgentLoop): Promise<string> {
  const { run, conversation, progress, offered: tools } = loop;
  const question = userMessage(reviewQuestion(run.settings.reflectionPrompt));
  const messages = [...conversation.messages(), question];
  const { text } = await askModel(loop, "reflection", { messages, tools, toolChoice: "none" });
  if (text.trim() === "") return "";
  progress.reflections.push(text);
  run.emit({ type: "reflection", nodeId: run.nodeId, iteration: progress.iteration, text });
  return text;
}

/** One iteration: a model call and the tool calls it asks for. Undefined when the loop goes on. */
async function iterate(loop: AgentLoop): Promise<RoundResult | undefined> {
  const { run, conversation, progress, offered } = loop;
  const answer = await askModel(loop, "answer", {
    messages: conversation.messages(),
    tools: offered,
    toolChoice: currentToolChoice(loop),
  });
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
      run.emit({
        type: "warning",
        nodeId: run.nodeId,
        message: "The model gave an empty answer.",
        hint: "Try again, raise its maximum tokens, or choose another model.",
      });
    return { text };
  }
  // Checked before the calls, since their results could not be used any more.
  const spent = budgetEnd(loop);
  if (spent) return spent;
  const { messages, looped } = await loop.callTools(calls, answer);
  conversation.append(...messages);
  if (looped === undefined) return undefined;
  const times = run.settings.repeatedCallLimit * 2;
  return { text: progress.lastText, ending: loopEnding(run.nodeId, looped, times) };
}

async function atLimit(loop: AgentLoop): Promise<RoundResult> {
  const { run, conversation, progress, offered: tools } = loop;
  const { maxIterations, onIterationLimit } = run.settings;
  const ending = iterationLimitEnding(run.nodeId, maxIterations);
  if (onIterationLimit === "stop") return { text: progress.lastText, ending };
  const messages = [...conversation.messages(), userMessage(finalInstruction)];
  const answer = await askModel(loop, "final", { messages, tools, toolChoice: "none" });
  const text = answer.text.trim() || progress.lastText;
  if (answer.finishReason === "content-filter") return { text, ending: refusedEnding(answer.rawFinishReason) };
  if (text !== "") return { text, ending };
  const apology = `The agent reached its limit of ${maxIterations} iterations before it had an answer.`;
  return { text: apology, ending, unanswered: true };
}

/**
 * Runs one iteration with its review and limits. Gives the agent's result, or whether the next iteration begins a new
 * round.
 */
async function step(loop: AgentLoop, rounds: Rounds): Promise<{ over?: RoundResult; nextRound: boolean }> {
  const { run, conversation, progress } = loop;
  const { settings } = run;
  const over = (result: RoundResult) => ({ over: rounds.settle(result) ?? result, nextRound: false });
  const spentBefore = budgetEnd(loop);
  if (spentBefore) return over(spentBefore);
  progress.iterations += 1;
  const answer = await iterate(loop);
  const result = answer && rounds.settle(answer);
  if (result) return { over: result, nextRound: false };
  const reviewIsDue = settings.reflection && progress.iterations % settings.reflectionFrequency === 0;
  const review = reviewIsDue ? await reflect(loop) : "";
  if (answer) conversation.addUser(rounds.nextInput(review));
  else if (review !== "") conversation.addUser(reviewMessage(review));
  const spent = budgetEnd(loop);
  if (spent) return over(spent);
  if (!answer && progress.iteration === settings.maxIterations) return over(await atLimit(loop));
  return { nextRound: answer !== undefined };
}

/**
 * Runs rounds of iterations until the model answers, a limit is reached, a budget is spent or a loop is seen. Rejects with a
 * RunError when the model fails for good and when the deadline aborts.
 */
export async function runRounds(loop: AgentLoop): Promise<RoundResult> {
  const { run, progress, deadline } = loop;
  const { nodeId, settings } = run;
  const { maxIterations } = settings;
  const rounds = createRounds(settings, progress, nodeId);
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
    const unchecked = uncheckedBudget(settings, progress);
    if (unchecked !== null && !warned) {
      warned = true;
      run.emit({
        type: "warning",
        nodeId,
        message: unchecked,
        hint: "Enter its prices on the model node; for embeddings, choose a model whose price is listed.",
      });
    }
  }
}
