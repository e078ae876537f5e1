import type { Wired } from "../../document/define-node.ts";
import type { ChatModel } from "../../model/chat-model.ts";
import { assistantMessage, type Message, messageText, plainParts, userMessage } from "../../model/message.ts";
import type { RunErrorCode, RunErrorData } from "../../errors.ts";
import type { ServedModel } from "../../run/replay/agent-replay.ts";
import { retryDelay } from "../../time/backoff.ts";
import type { Execution, Interceptor } from "../execution.ts";
import { unreadableCallInstruction } from "../turn/instructions.ts";
import type { AttemptResult, ModelAttempt } from "./send-model-request.ts";

/** Retries of one model call on 429, 5xx and broken connections (SPEC §4). */
const maxModelRetries = 3;

/** Stands around the attempts. */
type ModelInterceptor = Interceptor<ModelAttempt, AttemptResult>;

/** What one execution remembers of its models from call to call. */
export interface ModelsInUse {
  /** First the agent's own, then the fallback that took over. */
  current: Wired<ChatModel>;
  madeBy: Map<Message, Wired<ChatModel>>;
}

/**
 * What stands around each attempt in one agent execution, the first one outermost. It remembers the model in use and the
 * node retries that are left.
 */
export function aroundAttempt(execution: Execution, models: ModelsInUse): (ModelInterceptor | undefined)[] {
  return [
    retryAll(execution, models),
    fallBack(execution, models),
    suitModel(execution, models),
    repairCall,
    retryAttempt(execution),
    refuseEmpty,
    countAttempt(execution),
    serveRecorded(execution),
  ];
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

/** Another model would be refused for the same reason. */
const endsWithoutFallback: ReadonlySet<RunErrorCode> = new Set(["content_filter", "budget"]);

/** Goes on with the next fallback model when one has failed; it then stays in use. */
function fallBack({ run, warn }: Execution, models: ModelsInUse): ModelInterceptor | undefined {
  if (!run.fallback?.length) return undefined;
  const inOrder = [run.model, ...run.fallback];
  return async (attempt, next) => {
    for (;;) {
      const model = models.current;
      const result = await next({ ...attempt, model });
      if (result.ok || result.text !== "" || endsWithoutFallback.has(result.error.code)) return result;
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

/** Asks once more where the model wrote a tool call that its vendor could not read, unless the user has seen a part of the answer. */
const repairCall: ModelInterceptor = async (attempt, next) => {
  const result = await next(attempt);
  if (result.ok || result.text !== "" || result.error.unreadableCall === undefined) return result;
  const written = result.error.unreadableCall;
  const answer = assistantMessage(written.trim() === "" ? "(a tool call that could not be read)" : written);
  return next({ ...attempt, messages: [...attempt.messages, answer, userMessage(unreadableCallInstruction)] });
};

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
function serveRecorded(execution: Execution): ModelInterceptor | undefined {
  const { replay } = execution.run;
  if (!replay) return undefined;
  return (attempt, next) => {
    const { purpose, messages, tools, toolChoice, model } = attempt;
    const { provider, modelId } = model.value;
    const served = replay.model({ purpose, provider, model: modelId, messages, tools, toolChoice });
    if (!served) return next(attempt);
    for (const limit of execution.run.spending ?? []) limit.count(served.response.costUsd ?? 0);
    return Promise.resolve(serve(execution, served));
  };
}

/** Serves a recorded model call instead of a real one: the same events, marked as replayed, and the same result. */
function serve({ run, progress }: Execution, { request, reasoning, response }: ServedModel): AttemptResult {
  const { replay, nodeId } = run;
  const { callId } = request;
  progress.lastModelCall = callId;
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
  if (hasText || message.parts.some(({ type }) => type !== "text" && type !== "reasoning")) return undefined;
  return {
    code: "model_error",
    message: `${value.modelId} stopped without an answer (${rawFinishReason ?? "it gave no reason"}).`,
    hint: "Try again, or choose another model.",
    retryable: true,
    nodeId,
  };
}

/** A refusal without text, or of a request that the loop made for itself, such as a plan. */
export function contentFilter(modelNodeId: string): RunErrorData {
  return {
    code: "content_filter",
    message: "The provider's content filter withheld the answer.",
    hint: "Rephrase the message or the system prompt, or choose another model.",
    retryable: false,
    nodeId: modelNodeId,
  };
}
