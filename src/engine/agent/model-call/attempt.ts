import type { Wired } from "../../document/define-node.ts";
import type { ChatModel, FinishReason, ModelEvent, ModelRequest, Usage } from "../../model/chat-model.ts";
import { type AssistantMessage, messageText } from "../../model/message.ts";
import { costOf } from "../../model/prices.ts";
import type { RunErrorData } from "../../run/errors.ts";
import type { ModelPurpose } from "../../run/events.ts";
import type { ServedModel } from "../agent-replay.ts";
import type { AgentRun } from "../agent-run.ts";
import { type Arrived, brokenStream, type Ending, followAnswer } from "./follow-answer.ts";
import { settleOrAbort } from "../../time/time-limit.ts";

/** One request to one model, with what its events say of it. */
interface ModelAttempt {
  model: Wired<ChatModel>;
  request: Omit<ModelRequest, "signal">;
  /** Aborts the request. */
  signal: AbortSignal;
  purpose: ModelPurpose;
  /** How many of the request's messages, after the system message, the memory gave. */
  fromMemory: number;
  iteration: number;
  /** Warnings that the log has already; a model says the same on every call. */
  warned: Set<string>;
}

/** How one request ended. `text`: the part of the answer that the user has already seen. */
export type AttemptResult =
  | {
      ok: true;
      message: AssistantMessage;
      finishReason: FinishReason;
      rawFinishReason?: string;
      usage?: Usage;
      costUsd: number | null;
    }
  | { ok: false; error: RunErrorData; text: string; costUsd: number | null };

function fromThrow(error: unknown): RunErrorData {
  const cause = error instanceof Error ? error.message : String(error);
  const message = `The model connection failed in an unexpected way: ${cause}`;
  return { code: "model_error", message, hint: "Try again, or choose another model.", retryable: false, cause };
}

function partialMessage(text: string): AssistantMessage {
  return { role: "assistant", parts: text === "" ? [] : [{ type: "text", text }] };
}

/**
 * Sends one request and follows its stream: events `model-request`, deltas and exactly one `model-response`. Returns as
 * soon as the request's signal aborts, even when the model does not. Throws only where a replay must not be left.
 */
export async function attemptModel(run: AgentRun, attempt: ModelAttempt): Promise<AttemptResult> {
  const { host, nodeId } = run;
  const { model, request, signal, purpose, fromMemory, iteration, warned } = attempt;
  const { provider, modelId } = model.value;
  const served = run.replay?.model({ ...request, purpose, provider, model: modelId });
  if (served) return serveModel(run, served);
  const callId = host.newId();
  run.lastModelCall = callId;
  const call = { nodeId, modelNodeId: model.nodeId, edgeId: model.edgeId, callId, iteration };
  const startedAt = host.now();
  const arrived: Arrived = { text: "", firstTokenAt: undefined, closed: false };

  // Events are put together field by field: spreading costs several times as much, and there are two per call.
  run.emit({
    type: "model-request",
    nodeId,
    modelNodeId: call.modelNodeId,
    edgeId: call.edgeId,
    callId,
    iteration,
    purpose,
    provider: model.value.provider,
    model: model.value.modelId,
    settings: model.value.settings,
    messages: request.messages,
    fromMemory,
    tools: request.tools,
    toolChoice: request.toolChoice,
  });

  let stream: AsyncIterator<ModelEvent> | undefined;
  const follow = async (): Promise<Ending> => {
    if (host.checkpoint) {
      await host.checkpoint();
      signal.throwIfAborted();
    }
    stream = model.value.stream({ ...request, signal })[Symbol.asyncIterator]();
    return followAnswer(run, callId, model, stream, arrived, warned);
  };
  const settled = await settleOrAbort(follow(), signal);
  arrived.closed = true;
  const { text, firstTokenAt } = arrived;
  // Also after a proper end: only now may the model let go of its connection.
  void Promise.resolve(stream?.return?.()).catch(() => undefined);
  const times = {
    durationMs: host.now() - startedAt,
    ...(firstTokenAt === undefined ? {} : { firstTokenMs: firstTokenAt - startedAt }),
  };
  const ending: Ending =
    settled.kind === "done"
      ? settled.value
      : { type: "error", error: settled.kind === "threw" ? fromThrow(settled.error) : brokenStream };

  if (ending.type === "finish" && !signal.aborted) {
    const { message, finishReason, rawFinishReason, usage } = ending;
    const costUsd = costOf(model.value, usage);
    run.emit({
      type: "model-response",
      nodeId,
      modelNodeId: call.modelNodeId,
      edgeId: call.edgeId,
      callId,
      iteration,
      durationMs: times.durationMs,
      firstTokenMs: times.firstTokenMs,
      message,
      finishReason,
      rawFinishReason,
      usage,
      costUsd,
    });
    return { ok: true, message, finishReason, rawFinishReason, usage, costUsd };
  }

  const message = partialMessage(text);
  // A refused request costs nothing; what a cut or stopped one cost is not known, unless the model is free.
  const refused = firstTokenAt === undefined && !signal.aborted;
  const costUsd = refused ? 0 : costOf(model.value, undefined);
  if (signal.aborted) {
    run.emit({ type: "model-response", ...call, ...times, message, finishReason: "cancelled", costUsd });
    return { ok: false, error: brokenStream, text, costUsd };
  }
  const error: RunErrorData = ending.type === "error" ? { nodeId: model.nodeId, ...ending.error } : brokenStream;
  run.emit({ type: "model-response", ...call, ...times, message, finishReason: "error", costUsd, error });
  return { ok: false, error, text, costUsd };
}

/** Serves a recorded model call instead of a real one: the same events, marked as replayed, and the same result. */
function serveModel(run: AgentRun, { request, reasoning, response }: ServedModel): AttemptResult {
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
