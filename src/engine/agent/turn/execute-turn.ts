import { boundedCheck } from "../../json-schema/bounded-check.ts";
import type { SchemaCheck } from "../../json-schema/schema-verdict.ts";
import { type Json, readJson } from "../../json.ts";
import { assistantMessage, toolCalls, userMessage } from "../../model/message.ts";
import { RunError } from "../../errors.ts";
import { type AgentEnding, brokenOffEnding, emptyEnding, lengthEnding, refusedEnding } from "../ending.ts";
import { type Handler, intercepted } from "../execution.ts";
import type { ModelAnswer } from "../model-call/call-model.ts";
import { emptyAnswerInstruction, planQuestion, planSection, repairQuestion } from "./instructions.ts";
import {
  aroundIteration,
  callWithinBudget,
  createRounds,
  endingAtBudget,
  type IterationEnd,
  type IterationPlace,
  type RoundResult,
  spentBudget,
} from "./turn-interceptors.ts";
import type { AgentLoop } from "./prepare-turn.ts";
import { writtenJson } from "./written-json.ts";

/** What a turn came to: the response, its text for the memory, and why it stopped early if it did. */
export interface TurnResult {
  value: Json;
  text: string;
  ending: AgentEnding | undefined;
}

/**
 * The turn itself: the plan, iterations in rounds until the model answers, a limit is reached, a budget is spent or a loop is
 * seen, and the answer in the format that the settings ask for. Rejects with a RunError when the model fails for good and
 * when the deadline aborts.
 */
export async function executeTurn(loop: AgentLoop): Promise<TurnResult> {
  const { run } = loop;
  // What happens outside of iterations, such as the plan, can find the budget without room as well.
  const result = await workInRounds(loop).catch((error: unknown): RoundResult => ({
    text: loop.progress.lastText,
    ending: endingAtBudget(loop, error),
  }));
  const { text, ending } = result;
  const answer = run.settings.outputFormat === "json" ? await jsonAnswer(loop, result) : { value: text, text };
  return { ...answer, ending: answer.ending ?? ending };
}

/** The plan, and iterations until the agent is done. */
async function workInRounds(loop: AgentLoop): Promise<RoundResult> {
  const { run, progress, deadline } = loop;
  if (run.settings.planning) await plan(loop);
  const iterate = createIteration(loop);
  let result: RoundResult | undefined;
  while (!result) {
    deadline.signal.throwIfAborted();
    progress.iteration += 1;
    const end = await iterate({ iteration: progress.iteration, round: progress.round });
    result = end.over;
    if (end.next === "round") {
      progress.round += 1;
      progress.iteration = 0;
    }
  }
  return result;
}

/** Asks for a plan, which then is part of the system prompt. */
async function plan(loop: AgentLoop): Promise<void> {
  const { run, conversation, progress, offered } = loop;
  const { text } = await loop.askModel("plan", [...conversation.messages(), userMessage(planQuestion(offered()))]);
  if (text.trim() === "") {
    loop.warn(
      "The model gave an empty plan, so the agent works without one.",
      "Raise its maximum tokens, choose another model, or turn planning off.",
    );
    return;
  }
  progress.plan = text;
  run.emit({ type: "plan", nodeId: run.nodeId, text });
  conversation.addToSystem(planSection(text));
}

/** Makes what runs one iteration, with all that stands around it: a model call, and the tool calls that it asks for. */
function createIteration(loop: AgentLoop): Handler<IterationPlace, IterationEnd> {
  const { conversation, progress } = loop;
  const rounds = createRounds(loop);
  const callTools = intercepted(loop.callTools, [callWithinBudget(loop)]);

  async function iterate(): Promise<IterationEnd> {
    progress.iterations += 1;
    await loop.compaction?.compact(loop);
    const answer = await loop.askModel("answer", conversation.messages());
    const { finishReason } = answer;
    const text = progress.continued + answer.text;
    if (isEmptyAnswer(answer, text)) {
      progress.continued = "";
      return rounds.settle(await answerAgain(loop));
    }
    conversation.append(answer.message);
    if (text.trim() !== "") progress.lastText = text;
    const calls = toolCalls(answer.message);
    // The vendor has to be called again to continue this turn.
    const isPaused = finishReason === "pause" && calls.length === 0;
    progress.continued = isPaused ? text : "";
    if (isPaused) return { next: "iteration" };
    if (calls.length === 0 || finishReason === "content-filter") return rounds.settle(lastAnswer(loop, answer, text));
    const { messages, ending } = await callTools({ calls, answer });
    conversation.append(...messages);
    return ending ? rounds.settle({ text: progress.lastText, ending }) : { next: "iteration" };
  }
  return intercepted(iterate, aroundIteration(loop, rounds));
}

/** The result of a round that ends with this answer, whose whole text is `text`. */
function lastAnswer(
  { progress }: AgentLoop,
  { finishReason, rawFinishReason, modelNodeId }: ModelAnswer,
  text: string,
): RoundResult {
  if (finishReason === "content-filter") return { text, ending: refusedEnding(rawFinishReason) };
  if (finishReason === "length") return { text: progress.lastText, ending: lengthEnding(modelNodeId, rawFinishReason) };
  if (finishReason === "other") return { text, ending: brokenOffEnding(rawFinishReason) };
  return { text };
}

/** Whether a model that was done said nothing: no text, no picture, no call. */
function isEmptyAnswer({ message, finishReason }: ModelAnswer, text: string): boolean {
  const isDone = finishReason === "stop" || finishReason === "tool-calls";
  return isDone && isBlank(text) && message.parts.every(({ type }) => type === "text" || type === "reasoning");
}

const isBlank = (text: string) => text.replaceAll("\u200B", "").trim() === "";

/**
 * Asks once more after an empty answer; tools are not called any more. Nothing else is asked where a budget is spent, and where the
 * empty answer comes from a recording that goes on without a second one. Rejects only when the deadline aborts.
 */
async function answerAgain(loop: AgentLoop): Promise<RoundResult> {
  const { run, conversation, progress, deadline, warn } = loop;
  const nothing = { text: "", ending: emptyEnding() };
  if (run.replay?.goesOnWithout("final") || spentBudget(loop)) return nothing;
  warn("The model gave an empty answer, so it is asked once more.", emptyEnding().hint);
  try {
    const answer = await loop.askModel("final", [...conversation.messages(), userMessage(emptyAnswerInstruction)]);
    const { finishReason, text } = answer;
    if (finishReason !== "content-filter" && finishReason !== "length" && isBlank(text)) {
      const hasPicture = answer.message.parts.some(({ type }) => type === "image" || type === "made-file");
      if (!hasPicture) return nothing;
    }
    if (!isBlank(text)) progress.lastText = text;
    // Calls that it asks for all the same are not made, and are no part of the conversation.
    const parts = answer.message.parts.filter(({ type }) => type !== "tool-call");
    conversation.append({ ...answer.message, parts });
    return lastAnswer(loop, answer, text);
  } catch (error) {
    deadline.signal.throwIfAborted();
    if (!(error instanceof RunError)) throw error;
    warn(`The model was asked once more and failed: ${error.message}`, error.data.hint);
    return nothing;
  }
}

/**
 * The answer as JSON, after one repair attempt if the model had finished its answer. Rejects with a RunError where the repair
 * does not help either.
 */
async function jsonAnswer(
  loop: AgentLoop,
  result: RoundResult,
): Promise<{ value: Json; text: string; ending?: AgentEnding }> {
  const { run, conversation, deadline } = loop;
  const { outputSchema, onIterationLimit } = run.settings;
  const { text: answer, ending } = result;
  const check = outputSchema && boundedCheck(run.host, outputSchema, () => deadline.signal);
  const first = await readAnswer(answer, check);
  if (first.ok) return { value: first.value, text: answer };
  const finished =
    ending === undefined ||
    ending.finish === "max_rounds" ||
    (ending.finish === "max_iterations" && onIterationLimit === "answer" && !result.unanswered);
  if (ending && !finished) return { value: stoppedEarly(ending, answer), text: answer };
  const messages = [...conversation.messages()];
  if (messages.at(-1)?.role !== "assistant") messages.push(assistantMessage(answer));
  messages.push(userMessage(repairQuestion(first.reason)));
  let text: string;
  try {
    text = (await loop.askModel("repair", messages)).text;
  } catch (error) {
    const noRoom = endingAtBudget(loop, error);
    return { value: stoppedEarly(noRoom, answer), text: answer, ending: noRoom };
  }
  const second = await readAnswer(text, check);
  if (second.ok) return { value: second.value, text };
  throw new RunError({
    code: "model_error",
    message: `The model did not give the JSON that was asked for, not even after a repair. ${second.reason}`,
    hint: "Simplify the JSON Schema, describe the format in the system prompt, or choose a stronger model.",
    nodeId: run.nodeId,
    cause: text.slice(0, 2_000),
  });
}

/** An answer read as JSON, or why it is not what was asked for. */
type ReadAnswer = { ok: true; value: Json } | { ok: false; reason: string };

/** Reads and checks a JSON answer. Rejects only when the check is aborted. */
async function readAnswer(text: string, check: SchemaCheck | null): Promise<ReadAnswer> {
  let reason: string | undefined;
  for (const value of writtenJson(text, check === null)) {
    const checked = check ? await check(value) : { ok: true as const };
    if (checked.ok) return { ok: true, value };
    reason ??= `It does not fit the schema. ${checked.reason}`;
  }
  return { ok: false, reason: reason ?? `It is not valid JSON (${syntaxProblem(text.trim())}).` };
}

function syntaxProblem(text: string): string {
  try {
    readJson(text);
    return "nothing is wrong with it";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The output of an agent that should answer in JSON but stopped early: an error with the text so far. */
function stoppedEarly({ finish, message, hint }: AgentEnding, text: string): Json {
  return { error: { finishReason: finish, message, hint, text } };
}
