import { toolCalls, userMessage } from "../model/message.ts";
import type { AgentFinish } from "../run/events.ts";
import { RunError } from "../run/errors.ts";
import { type AgentLoop, askModel, currentToolChoice } from "./agent-loop.ts";
import { spentBudget, uncheckedBudget } from "./budgets.ts";
import { reviewIsDue, reviewMessage, reviewQuestion } from "./reflection.ts";

/** How a round ended. `answered`: the text is the model's own final answer, not just what there was. */
export interface RoundResult {
  finish: AgentFinish;
  text: string;
  answered: boolean;
}

/** Stands in the request for the last answer at the iteration limit. */
export const finalInstruction =
  "You have reached the limit of steps and can call no more tools. Give the best final answer you can from what you have.";

function budgetEnd(loop: AgentLoop): RoundResult | undefined {
  const { settings, nodeId, emit } = loop.run;
  const reason = spentBudget(settings, loop.progress);
  if (reason === null) return undefined;
  emit({ type: "warning", nodeId, message: reason, hint: "Raise the agent's budget if it should go further." });
  return { finish: "budget", text: loop.progress.lastText, answered: false };
}

function failureFinish(loop: AgentLoop, error: unknown): AgentFinish {
  if (!loop.deadline.signal.aborted) return "error";
  return error instanceof RunError && error.data.code === "cancelled" ? "cancelled" : "timeout";
}

async function reflect(loop: AgentLoop): Promise<void> {
  const { run, conversation, progress } = loop;
  const question = userMessage(reviewQuestion(run.settings.reflectionPrompt));
  const messages = [...conversation.messages(), question];
  const { text } = await askModel(loop, "reflection", { messages, tools: [], toolChoice: "none" });
  if (text.trim() === "") return;
  progress.reflections.push(text);
  run.emit({ type: "reflection", nodeId: run.nodeId, iteration: progress.iteration, text });
  conversation.addUser(reviewMessage(text));
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
  if (answer.text.trim() !== "") progress.lastText = answer.text;
  const calls = toolCalls(answer.message);
  if (calls.length === 0) {
    if (answer.text.trim() === "")
      run.emit({
        type: "warning",
        nodeId: run.nodeId,
        message: "The model gave an empty answer.",
        hint: "Try again, raise its maximum tokens, or choose another model.",
      });
    return { finish: "completed", text: answer.text, answered: true };
  }
  // Before the calls: their results could not be used any more.
  const spent = budgetEnd(loop);
  if (spent) return spent;
  const { messages, loop: isLoop } = await loop.callTools(calls, answer.repeatedIds);
  conversation.append(...messages);
  return isLoop ? { finish: "loop_detected", text: progress.lastText, answered: false } : undefined;
}

async function atLimit(loop: AgentLoop): Promise<RoundResult> {
  const { run, conversation, progress } = loop;
  const { maxIterations, onIterationLimit } = run.settings;
  if (onIterationLimit === "stop") return { finish: "max_iterations", text: progress.lastText, answered: false };
  const messages = [...conversation.messages(), userMessage(finalInstruction)];
  const { text } = await askModel(loop, "final", { messages, tools: [], toolChoice: "none" });
  const answer = text.trim() || progress.lastText;
  if (answer !== "") return { finish: "max_iterations", text: answer, answered: true };
  const apology = `The agent reached its limit of ${maxIterations} iterations before it had an answer.`;
  return { finish: "max_iterations", text: apology, answered: false };
}

/**
 * Runs iterations until the model answers, the limit is reached, a budget is spent or a loop is seen. Rejects with a
 * RunError when the model fails for good and when the deadline aborts.
 */
export async function runRound(loop: AgentLoop): Promise<RoundResult> {
  const { run, progress, deadline } = loop;
  const { nodeId, settings } = run;
  const { maxIterations } = settings;
  let warned = false;
  for (let iteration = 1; iteration <= maxIterations; iteration += 1) {
    deadline.signal.throwIfAborted();
    const spent = budgetEnd(loop);
    if (spent) return spent;
    progress.iteration = iteration;
    progress.iterations += 1;
    const { round } = progress;
    run.emit({ type: "iteration-start", nodeId, iteration, round, maxIterations });
    try {
      const result = await iterate(loop);
      if (!result && reviewIsDue(settings, iteration)) await reflect(loop);
      run.emit({ type: "iteration-end", nodeId, iteration, round, finish: result?.finish });
      if (result) return result;
    } catch (error) {
      run.emit({ type: "iteration-end", nodeId, iteration, round, finish: failureFinish(loop, error) });
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
  return budgetEnd(loop) ?? (await atLimit(loop));
}
