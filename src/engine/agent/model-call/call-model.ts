import type { AssistantMessage } from "../../model/message.ts";
import { RunError } from "../../run/errors.ts";
import type { Execution } from "../execution.ts";
import { type Execute, intercepted } from "../interceptor.ts";
import { holdModelCall } from "./hold-model-call.ts";
import { countAttempt, fallBack, refuseEmpty, retryAll, retryAttempt, suitModel } from "./interceptors.ts";
import { serveRecorded } from "./replay-model.ts";
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
