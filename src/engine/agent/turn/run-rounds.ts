import { toolCalls } from "../../model/message.ts";
import { brokenOffEnding, lengthEnding, refusedEnding } from "../ending.ts";
import { type Execute, intercepted } from "../interceptor.ts";
import type { CallTools } from "../tool-call/call-tools.ts";
import { aroundIteration, callWithinBudget } from "./interceptors.ts";
import type { AgentLoop } from "./prepare-turn.ts";
import { createRounds, type IterationEnd, type IterationPlace, type RoundResult } from "./rounds.ts";

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
  const callTools = intercepted(loop.callTools, [callWithinBudget(loop)]);
  async function iterate(): Promise<IterationEnd> {
    progress.iterations += 1;
    const answer = await askAndCall(loop, callTools);
    return answer ? rounds.settle(answer) : { next: "iteration" };
  }
  return intercepted(iterate, aroundIteration(loop, rounds));
}

/** A model call and the tool calls that it asks for: the round's result, or undefined when the round goes on. */
async function askAndCall(loop: AgentLoop, callTools: CallTools): Promise<RoundResult | undefined> {
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
  const { messages, ending } = await callTools({ calls, answer });
  conversation.append(...messages);
  return ending && { text: progress.lastText, ending };
}
