import { z } from "zod/mini";
import type { Wired } from "../../document/define-node.ts";
import type { Json } from "../../json.ts";
import type { ChatModel } from "../../model/chat-model.ts";
import { messageSchema } from "../../model/message-schema.ts";
import { type Message, messageText } from "../../model/message.ts";
import type { RunErrorData } from "../../run/errors.ts";
import type { ServedModel } from "../../run/replay/agent-replay.ts";
import { retryDelay } from "../../time/backoff.ts";
import type { AgentRun, Execution, Interceptor } from "../execution.ts";
import { plainParts } from "../turn/conversation.ts";
import {
  type AttemptResult,
  contentFilter,
  type ModelAnswer,
  type ModelCall,
  type ModelInterceptor,
  type ModelsInUse,
} from "./model-call.ts";

/** Retries of one model call on 429, 5xx and broken connections (SPEC §4). */
const maxModelRetries = 3;

/** What stands around a call, and around each attempt to have it answered; the first one outermost. */
interface ModelInterceptors {
  aroundCall: Interceptor<ModelCall, ModelAnswer>[];
  aroundAttempt: (ModelInterceptor | undefined)[];
}

/** The interceptors of one agent execution, which remember the model in use and the node retries that are left. */
export function createModelInterceptors(execution: Execution, models: ModelsInUse): ModelInterceptors {
  return {
    aroundCall: [holdModelCall(execution, models)],
    aroundAttempt: [
      retryAll(execution, models),
      fallBack(execution, models),
      suitModel(execution, models),
      retryAttempt(execution),
      refuseEmpty,
      countAttempt(execution),
      serveRecorded(execution),
    ],
  };
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

/** The retries that the agent's own settings ask for: from the first model on, and for all calls together. */
function retryAll(execution: Execution, models: ModelsInUse): ModelInterceptor | undefined {
  const { run } = execution;
  const { onError, retries: most } = run.settings;
  if (onError !== "retry") return undefined;
  let left = most;
  return async (attempt, next) => {
    for (;;) {
      const result = await next(attempt);
      if (result.ok || left === 0 || !result.error.retryable) return result;
      left -= 1;
      if (!(await waitForModel(execution, most - left, most, result.error))) return result;
      models.current = run.model;
    }
  };
}

/** Goes on with the next fallback model when one has failed; it then stays in use. */
function fallBack({ run, warn }: Execution, models: ModelsInUse): ModelInterceptor | undefined {
  if (!run.fallback?.length) return undefined;
  const inOrder = [run.model, ...run.fallback];
  return async (attempt, next) => {
    for (;;) {
      const model = models.current;
      const result = await next({ ...attempt, model });
      if (result.ok || result.text !== "" || result.error.code === "content_filter") return result;
      const following = inOrder[inOrder.indexOf(model) + 1];
      if (!following) return result;
      warn(
        `${model.value.modelId} failed: ${result.error.message} The fallback model ${following.value.modelId} takes over.`,
        "The rest of this agent's run uses the fallback model.",
      );
      models.current = following;
    }
  };
}

/** Leaves out what the model cannot read: tools if it cannot call any, and what only the model that wrote it understands. */
function suitModel({ run }: Execution, { madeBy }: ModelsInUse): ModelInterceptor {
  return (attempt, next) => {
    const { model } = attempt;
    const canCall = model.value.capabilities.tools;
    if (canCall && !run.fallback?.length) return next(attempt);
    const messages = withoutVendorParts(attempt.messages, (message) => (madeBy.get(message) ?? run.model) === model);
    return next(canCall ? { ...attempt, messages } : { ...attempt, messages, tools: [], toolChoice: "auto" });
  };
}

/** Retries an attempt after temporary failures, unless the user has seen a part of the answer. */
function retryAttempt(execution: Execution): ModelInterceptor {
  return async (attempt, next) => {
    for (let retries = 0; ;) {
      const result = await next(attempt);
      if (result.ok || !result.error.retryable || result.text !== "" || retries === maxModelRetries) return result;
      retries += 1;
      if (!(await waitForModel(execution, retries, maxModelRetries, result.error))) return result;
    }
  };
}

/** Treats an answer without content as a failure, unless it ended normally. */
const refuseEmpty: ModelInterceptor = async (attempt, next) => {
  const result = await next(attempt);
  const error = result.ok ? emptyAnswer(attempt.model, result) : undefined;
  return error ? { ok: false, error, text: "", costUsd: 0 } : result;
};

/** Counts what each attempt used towards the budgets, and keeps the text of an answer that broke off. */
function countAttempt({ deadline, progress, addUsage }: Execution): ModelInterceptor {
  return async (attempt, next) => {
    const result = await next(attempt);
    addUsage(result.ok ? result.usage : undefined, result.costUsd);
    const { purpose } = attempt;
    if (!result.ok && (purpose === "answer" || purpose === "final")) progress.cutText = result.text;
    deadline.signal.throwIfAborted();
    return result;
  };
}

/** Serves the attempts that a replay has recorded. Throws where a run must not leave its recording. */
function serveRecorded({ run }: Execution): ModelInterceptor | undefined {
  const { replay } = run;
  if (!replay) return undefined;
  return (attempt, next) => {
    const { purpose, messages, tools, toolChoice, model } = attempt;
    const { provider, modelId } = model.value;
    const served = replay.model({ purpose, provider, model: modelId, messages, tools, toolChoice });
    return served ? Promise.resolve(serve(run, served)) : next(attempt);
  };
}

/** Serves a recorded model call instead of a real one: the same events, marked as replayed, and the same result. */
function serve(run: AgentRun, { request, reasoning, response }: ServedModel): AttemptResult {
  const { replay, nodeId } = run;
  const { callId } = request;
  run.lastModelCall = callId;
  const text = messageText(response.message);
  replay?.emit(request);
  if (reasoning !== "") replay?.emit({ type: "reasoning-delta", nodeId, callId, text: reasoning });
  if (text !== "") replay?.emit({ type: "text-delta", nodeId, callId, text });
  replay?.emit(response);
  const { message, finishReason, rawFinishReason, usage, costUsd, error } = response;
  if (finishReason !== "error" && finishReason !== "cancelled")
    return { ok: true, message, finishReason, rawFinishReason, usage, costUsd };
  const failure = error ?? {
    code: "model_error" as const,
    message: "The recorded answer is not complete.",
    hint: "Continue for real from this call.",
    retryable: false,
  };
  return { ok: false, error: failure, text, costUsd };
}

/** Waits before attempt `attempt + 1`, with a countdown in the log; false when there is no time left for it. */
async function waitForModel(
  { run, deadline, waitToRetry }: Execution,
  attempt: number,
  maxAttempts: number,
  error: RunErrorData,
): Promise<boolean> {
  const { nodeId } = run;
  const retry = { attempt, maxAttempts, delayMs: retryDelay(run.host, attempt, error), error };
  if (retry.delayMs >= deadline.remaining()) return false;
  if (run.replay?.servesNextModel()) run.replay.emit({ type: "retry", nodeId, ...retry });
  else await waitToRetry(nodeId, retry);
  return true;
}

/**
 * Messages without signatures and thoughts, which only the model that made them can read; those that `keep` names stay
 * as they are.
 */
function withoutVendorParts(messages: readonly Message[], keep: (message: Message) => boolean): Message[] {
  return messages.map((message) =>
    message.role !== "assistant" || keep(message) ? message : { ...message, parts: plainParts(message) },
  );
}

/** The failure that an answer without content is, unless it ended normally. */
function emptyAnswer(
  { nodeId, value }: Wired<ChatModel>,
  { message, finishReason, rawFinishReason }: Extract<AttemptResult, { ok: true }>,
): RunErrorData | undefined {
  if (finishReason !== "content-filter" && finishReason !== "other") return undefined;
  const hasText = messageText(message).trim() !== "";
  if (finishReason === "content-filter") return hasText ? undefined : contentFilter(nodeId);
  if (hasText || message.parts.some(({ type }) => type === "tool-call" || type === "image")) return undefined;
  return {
    code: "model_error",
    message: `${value.modelId} stopped without an answer (${rawFinishReason ?? "it gave no reason"}).`,
    hint: "Try again, or choose another model.",
    retryable: true,
    nodeId,
  };
}
