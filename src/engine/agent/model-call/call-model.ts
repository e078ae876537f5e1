import { z } from "zod";
import type { Json } from "../../json.ts";
import { messageSchema } from "../../model/message-schema.ts";
import type { AssistantMessage, Message } from "../../model/message.ts";
import { RunError } from "../../run/errors.ts";
import type { AgentRun } from "../agent-run.ts";
import type { Execution } from "../execution.ts";
import { type Execute, intercepted, type Interceptor } from "../interceptor.ts";
import {
  countAttempt,
  fallBack,
  refuseEmpty,
  retryAll,
  retryAttempt,
  serveRecorded,
  suitModel,
} from "./interceptors.ts";
import type { ModelAnswer, ModelCall, ModelsInUse } from "./model-call.ts";
import { createSender } from "./send-request.ts";

/**
 * Calls a model until it answers: first with retries, then with the fallback models in order, then with the node's own
 * retries. Rejects with a RunError when all of these are exhausted, and with the deadline's reason (`cancelled`,
 * `timeout`) when it aborts.
 */
export type ModelCaller = Execute<ModelCall, ModelAnswer>;

/**
 * Creates the model caller of one agent execution, which remembers the model in use and the node retries that are left.
 */
export function createModelCaller(execution: Execution): ModelCaller {
  const { run } = execution;
  const models: ModelsInUse = { current: run.model, madeBy: new WeakMap() };
  const usedIds = new Set<string>();
  const attempt = intercepted(createSender(execution), [
    retryAll(execution, models),
    fallBack(execution, models),
    suitModel(execution, models),
    retryAttempt(execution),
    refuseEmpty,
    countAttempt(execution),
    serveRecorded(execution),
  ]);

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

const editedMessages = z.object({ messages: z.array(messageSchema).min(1) });

/** Sends the messages that a fork changed, or that a person edits at a breakpoint, and says so in the answer. */
function holdModelCall({ run, hold }: Execution, models: ModelsInUse): Interceptor<ModelCall, ModelAnswer> {
  const { replay } = run;
  return async (call, next) => {
    if (replay?.servesNextModel()) return next(call);
    const changed = replay?.changedMessages() ?? call.messages;
    const input = () => ({ messages: z.json().parse(changed) });
    const held = hold({ kind: "model-call", atNodeId: models.current.nodeId, input });
    const messages = held ? readEdited(run, await held, changed) : changed;
    return messages === call.messages ? next(call) : { ...(await next({ ...call, messages })), sent: messages };
  };
}

/** The messages as a person edited them; the same list where nobody did, and where they cannot be read. */
function readEdited(run: AgentRun, input: Json | undefined, messages: Message[]): Message[] {
  if (input === undefined) return messages;
  const edited = editedMessages.safeParse(input);
  if (edited.success) return edited.data.messages;
  run.emit({
    type: "warning",
    nodeId: run.nodeId,
    message: "The edited messages could not be read, so the call was made as it was.",
    hint: "Keep the form { messages: [{ role, … }] } when you edit.",
  });
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
  return { message: changed ? { role: "assistant", parts } : message, repeatedIds };
}
