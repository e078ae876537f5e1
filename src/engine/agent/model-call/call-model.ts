import type { Wired } from "../../document/define-node.ts";
import type { ChatModel, FinishReason, ResponseFormat, ToolChoice, ToolDefinition } from "../../model/chat-model.ts";
import { type AssistantMessage, type Message, messageText } from "../../model/message.ts";
import { RunError, type RunErrorData } from "../../run/errors.ts";
import type { ModelPurpose } from "../../run/events.ts";
import { retryDelay } from "../../time/backoff.ts";
import { heldMessages } from "./hold-model.ts";
import { type AttemptResult, attemptModel } from "./attempt.ts";
import { withoutVendorParts } from "../turn/conversation.ts";
import { addUsage, type Execution } from "../execution.ts";
import { uniqueCallIds } from "./unique-call-ids.ts";

/** Retries of one model call on 429, 5xx and broken connections (SPEC §4). */
const maxModelRetries = 3;

/** A request of the loop to the model. */
export interface ModelCall {
  purpose: ModelPurpose;
  messages: Message[];
  /** How many of them, after the system message, the memory gave. */
  fromMemory: number;
  tools: ToolDefinition[];
  toolChoice: ToolChoice;
  responseFormat: ResponseFormat;
}

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

/**
 * Calls a model until it answers: first with retries, then with the fallback models in order, then with the node's own
 * retries. Rejects with a RunError when all of these are exhausted, and with the deadline's reason (`cancelled`,
 * `timeout`) when it aborts.
 */
export type ModelCaller = (call: ModelCall) => Promise<ModelAnswer>;

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

/** Treats an answer without content as a failure, unless it ended normally. */
function emptyEnd(
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

/**
 * Creates the model caller of one agent execution, which remembers the model in use and the node retries that are left.
 */
export function createModelCaller(execution: Execution): ModelCaller {
  const { run, deadline, progress } = execution;
  const { settings, host, nodeId } = run;
  let current = run.model;
  let nodeRetries = settings.onError === "retry" ? settings.retries : 0;
  const maxNodeRetries = nodeRetries;
  const usedIds = new Set<string>();
  const warned = new Set<string>();
  const madeBy = new WeakMap<Message, Wired<ChatModel>>();

  /** Waits before attempt `attempt + 1`, with a countdown in the log; false when there is no time left for it. */
  async function waitToRetry(attempt: number, maxAttempts: number, error: RunErrorData): Promise<boolean> {
    const delayMs = retryDelay(host, attempt, error);
    if (delayMs >= deadline.remaining()) return false;
    const retry = { type: "retry", nodeId, attempt, maxAttempts, delayMs, error } as const;
    if (run.replay?.servesNextModel()) {
      run.replay.emit(retry);
      return true;
    }
    run.emit(retry);
    await host.sleep(delayMs, deadline.signal);
    return true;
  }

  async function withRetries(model: Wired<ChatModel>, call: ModelCall): Promise<AttemptResult> {
    const messages = run.fallback?.length
      ? withoutVendorParts(call.messages, (message) => (madeBy.get(message) ?? run.model) === model)
      : call.messages;
    const { responseFormat, purpose, fromMemory } = call;
    const canCall = model.value.capabilities.tools;
    const tools = canCall ? call.tools : [];
    const toolChoice = canCall ? call.toolChoice : "auto";
    for (let retries = 0; ;) {
      const request = { messages, tools, toolChoice, responseFormat };
      const attempt = await attemptModel(run, {
        signal: deadline.signal,
        model,
        request,
        purpose,
        fromMemory,
        iteration: progress.iteration,
        warned,
      });
      const usage = attempt.ok ? attempt.usage : undefined;
      addUsage(execution, usage, attempt.costUsd);
      if (!attempt.ok && (purpose === "answer" || purpose === "final")) progress.cutText = attempt.text;
      deadline.signal.throwIfAborted();
      const failure = attempt.ok ? emptyEnd(model, attempt) : undefined;
      if (attempt.ok && !failure) return attempt;
      const result = failure ? { ok: false as const, error: failure, text: "", costUsd: 0 } : attempt;
      if (result.ok || !result.error.retryable || result.text !== "" || retries === maxModelRetries) return result;
      retries += 1;
      if (!(await waitToRetry(retries, maxModelRetries, result.error))) return result;
    }
  }

  async function withFallback(call: ModelCall): Promise<AttemptResult> {
    const models = [run.model, ...(run.fallback ?? [])];
    for (;;) {
      const result = await withRetries(current, call);
      if (result.ok || result.text !== "" || result.error.code === "content_filter") return result;
      const next = models[models.indexOf(current) + 1];
      if (!next) return result;
      run.emit({
        type: "warning",
        nodeId,
        message: `${current.value.modelId} failed: ${result.error.message} The fallback model ${next.value.modelId} takes over.`,
        hint: "The rest of this agent's run uses the fallback model.",
      });
      current = next;
    }
  }

  /** The messages to send, after changes by a fork or at a breakpoint. */
  async function messagesToSend(call: ModelCall): Promise<Message[]> {
    if (run.replay?.servesNextModel()) return call.messages;
    return heldMessages(execution, current.nodeId, run.replay?.changedMessages() ?? call.messages);
  }

  return async (asked) => {
    const messages = await messagesToSend(asked);
    const call = messages === asked.messages ? asked : { ...asked, messages };
    const sent = messages === asked.messages ? {} : { sent: messages };
    for (;;) {
      const result = await withFallback(call);
      if (result.ok) {
        const { message, repeatedIds } = uniqueCallIds(result.message, usedIds, host.newId);
        madeBy.set(message, current);
        const { finishReason, rawFinishReason } = result;
        return { message, finishReason, rawFinishReason, modelNodeId: current.nodeId, repeatedIds, ...sent };
      }
      const { error } = result;
      if (nodeRetries === 0 || !error.retryable) throw new RunError(error);
      nodeRetries -= 1;
      if (!(await waitToRetry(maxNodeRetries - nodeRetries, maxNodeRetries, error))) throw new RunError(error);
      current = run.model;
    }
  };
}
