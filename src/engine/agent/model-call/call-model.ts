import { z } from "zod/mini";
import type { Json } from "../../json.ts";
import type { FinishReason, ToolDefinition } from "../../model/chat-model.ts";
import { messageSchema } from "../../model/message-schema.ts";
import { type AssistantMessage, type Message, messageText, toolCalls } from "../../model/message.ts";
import { RunError } from "../../errors.ts";
import type { ModelPurpose } from "../../run/events.ts";
import { sourceOfUrl } from "../../trust/taint.ts";
import { type Execution, type Handler, intercepted, type Interceptor } from "../execution.ts";
import type { Conversation } from "../turn/conversation.ts";
import { aroundAttempt, contentFilter, type ModelsInUse } from "./model-interceptors.ts";
import { createSender, type ModelCall } from "./send-model-request.ts";

/** A model's answer to one request of the loop. */
export interface ModelAnswer {
  /** With call ids that are unique in this execution. */
  message: AssistantMessage;
  finishReason: FinishReason;
  /** The finish reason in the vendor's own terms. */
  rawFinishReason: string | undefined;
  /** The model that answered. */
  modelNodeId: string;
  /** Calls of this message that repeated another call's id: their new id → the id that the model gave. */
  repeatedIds: ReadonlyMap<string, string>;
  /** What the model was sent, if that was edited at a breakpoint or by a fork. */
  sent?: Message[];
}

/** Sends the model these messages for one purpose of the loop, and keeps the step. Rejects as a `ModelCaller` does. */
export type ModelAsker = (purpose: ModelPurpose, messages: Message[]) => Promise<ModelAnswer & { text: string }>;

/** Makes what asks the model in one execution of the agent: it decides which tools and which format a purpose gets. */
export function createModelAsker(
  execution: Execution,
  conversation: Conversation,
  offered: () => ToolDefinition[],
): ModelAsker {
  const { run, progress, addTaint, warn } = execution;
  const { settings } = run;
  const callModel = createModelCaller(execution);

  /** Tools to choose from are there for answers alone; `required` holds only until one has been called. */
  function toolsFor(purpose: ModelPurpose): Pick<ModelCall, "tools" | "toolChoice"> {
    if (purpose === "plan" || purpose === "summary") return { tools: [], toolChoice: "none" };
    const tools = offered();
    if (purpose !== "answer") return { tools, toolChoice: "none" };
    const isDone = tools.length === 0 || (settings.toolChoice === "required" && progress.hasCalledTool);
    return { tools, toolChoice: isDone ? "auto" : settings.toolChoice };
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
  const models: ModelsInUse = { current: run.model, madeBy: new Map() };
  const usedIds = new Set<string>();
  const attempt = intercepted(createSender(execution), aroundAttempt(execution, models));

  async function call(asked: ModelCall): Promise<ModelAnswer> {
    const result = await attempt({ ...asked, model: models.current });
    if (!result.ok) throw new RunError(result.error);
    const { finishReason, rawFinishReason } = result;
    const { message, repeatedIds } = uniqueCallIds(result.message, usedIds, run.host.newId);
    models.madeBy.set(message, models.current);
    return { message, finishReason, rawFinishReason, modelNodeId: models.current.nodeId, repeatedIds };
  }
  return intercepted(call, [holdModelCall(execution, models)]);
}

const editedMessages = z.object({ messages: z.array(messageSchema).check(z.minLength(1)) });

/** Sends the messages that a fork changed, or that a person edits at a breakpoint, and says so in the answer. */
function holdModelCall(execution: Execution, models: ModelsInUse): Interceptor<ModelCall, ModelAnswer> {
  const { replay } = execution.run;
  return async (call, next) => {
    if (replay?.servesNextModel()) return next(call);
    const changed = replay?.changedMessages() ?? call.messages;
    const input = () => ({ messages: z.json().parse(changed) });
    const held = execution.hold({ kind: "model-call", atNodeId: models.current.nodeId, input });
    const messages = held ? readEdited(execution, await held, changed) : changed;
    return messages === call.messages ? next(call) : { ...(await next({ ...call, messages })), sent: messages };
  };
}

/** The messages as a person edited them; the same list where nobody did, and where they cannot be read. */
function readEdited({ warn }: Execution, input: Json | undefined, messages: Message[]): Message[] {
  if (input === undefined) return messages;
  const edited = editedMessages.safeParse(input);
  if (edited.success) return edited.data.messages;
  warn(
    "The edited messages could not be read, so the call was made as it was.",
    "Keep the form { messages: [{ role, … }] } when you edit.",
  );
  return messages;
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
