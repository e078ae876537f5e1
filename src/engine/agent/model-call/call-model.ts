import type { ToolDefinition } from "../../model/chat-model.ts";
import { type AssistantMessage, type Message, messageText, toolCalls } from "../../model/message.ts";
import { RunError } from "../../run/errors.ts";
import type { ModelPurpose } from "../../run/events.ts";
import { sourceOfUrl } from "../../trust/taint.ts";
import { type Execution, type Handler, intercepted } from "../execution.ts";
import type { Conversation } from "../turn/conversation.ts";
import { createModelInterceptors } from "./interceptors.ts";
import { contentFilter, type ModelAnswer, type ModelCall, type ModelsInUse } from "./model-call.ts";
import { createSender } from "./send-request.ts";

/** Sends the model these messages for one purpose of the loop, and keeps the step. Rejects as a `ModelCaller` does. */
export type ModelAsker = (purpose: ModelPurpose, messages: Message[]) => Promise<ModelAnswer & { text: string }>;

/** Makes what asks the model in one execution of the agent: it decides which tools and which format a purpose gets. */
export function createModelAsker(
  execution: Execution,
  conversation: Conversation,
  offered: ToolDefinition[],
): ModelAsker {
  const { run, progress, addTaint, warn } = execution;
  const { settings } = run;
  const callModel = createModelCaller(execution);

  /** Tools to choose from are there for answers alone; `required` holds only until one has been called. */
  function toolsFor(purpose: ModelPurpose): Pick<ModelCall, "tools" | "toolChoice"> {
    if (purpose === "plan" || purpose === "summary") return { tools: [], toolChoice: "none" };
    if (purpose !== "answer") return { tools: offered, toolChoice: "none" };
    const isDone = offered.length === 0 || (settings.toolChoice === "required" && progress.hasCalledTool);
    return { tools: offered, toolChoice: isDone ? "auto" : settings.toolChoice };
  }

  function formatFor(purpose: ModelPurpose): ModelCall["responseFormat"] {
    const isAnswer = purpose === "answer" || purpose === "final" || purpose === "repair";
    // Rounds need room for the done mark, which is no JSON.
    const json = settings.outputFormat === "json" && isAnswer && (!settings.autoIterate || purpose === "repair");
    return json ? { type: "json", schema: settings.outputSchema ?? undefined } : { type: "text" };
  }

  return async (purpose, messages) => {
    const { round, iteration, steps } = progress;
    const answer = await callModel({
      purpose,
      messages,
      fromMemory: purpose === "summary" ? 0 : conversation.fromMemory,
      ...toolsFor(purpose),
      responseFormat: formatFor(purpose),
    });
    if (answer.sent && purpose === "answer") conversation.replace(answer.sent);
    const { sources = [] } = answer.message;
    // What it read there is as much from outside as what a tool reads.
    addTaint(sources.map(({ url }) => sourceOfUrl(url)));
    const text = messageText(answer.message);
    const toolNames = toolCalls(answer.message).map((part) => part.toolName);
    steps.push({ kind: "model", purpose, round, iteration, text, toolCalls: toolNames });
    const forUser = purpose === "answer" || purpose === "final";
    if (answer.finishReason === "content-filter" && !forUser) throw new RunError(contentFilter(answer.modelNodeId));
    // Where the agent ends with this answer, its ending says so.
    if (answer.finishReason === "length" && (purpose !== "answer" || toolNames.length > 0))
      warn("The model's answer was cut at its token limit.", "Raise the maximum tokens of the model node.");
    return Object.assign(answer, { text });
  };
}

/**
 * Calls a model until it answers: first with retries, then with the fallback models in order, then with the node's own
 * retries. Rejects with a RunError when all of these are exhausted, and with the deadline's reason (`cancelled`,
 * `timeout`) when it aborts.
 */
type ModelCaller = Handler<ModelCall, ModelAnswer>;

/** Creates the model caller of one execution, which remembers the model in use and the ids of its calls. */
export function createModelCaller(execution: Execution): ModelCaller {
  const { run } = execution;
  const models: ModelsInUse = { current: run.model, madeBy: new WeakMap() };
  const usedIds = new Set<string>();
  const { aroundCall, aroundAttempt } = createModelInterceptors(execution, models);
  const attempt = intercepted(createSender(execution), aroundAttempt);

  async function call(asked: ModelCall): Promise<ModelAnswer> {
    const result = await attempt({ ...asked, model: models.current });
    if (!result.ok) throw new RunError(result.error);
    const { finishReason, rawFinishReason } = result;
    const { message, repeatedIds } = uniqueCallIds(result.message, usedIds, run.host.newId);
    models.madeBy.set(message, models.current);
    return { message, finishReason, rawFinishReason, modelNodeId: models.current.nodeId, repeatedIds };
  }
  return intercepted(call, aroundCall);
}

/**
 * Gives every call of a message an id of its own, since vendors refuse repeated ones and some servers number anew in
 * each answer. `repeatedIds` names the calls whose id another call of the same message already had.
 */
function uniqueCallIds(
  message: AssistantMessage,
  used: Set<string>,
  newId: () => string,
): { message: AssistantMessage; repeatedIds: ReadonlyMap<string, string> } {
  const here = new Set<string>();
  const repeatedIds = new Map<string, string>();
  let changed = false;
  const parts = message.parts.map((part) => {
    if (part.type !== "tool-call") return part;
    const taken = part.callId === "" || used.has(part.callId);
    const callId = taken ? `call_${newId().replaceAll("-", "").slice(0, 32)}` : part.callId;
    if (part.callId !== "" && here.has(part.callId)) repeatedIds.set(callId, part.callId);
    here.add(part.callId);
    used.add(callId);
    changed ||= taken;
    return taken ? { ...part, callId } : part;
  });
  return { message: changed ? { ...message, parts } : message, repeatedIds };
}
