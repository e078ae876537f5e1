import { messageText } from "../../model/message.ts";
import type { ServedModel } from "../agent-replay.ts";
import type { AgentRun } from "../agent-run.ts";
import type { Execution } from "../execution.ts";
import type { AttemptResult, ModelInterceptor } from "./model-call.ts";

/** Serves the attempts that a replay has recorded. Throws where a run must not leave its recording. */
export function serveRecorded({ run }: Execution): ModelInterceptor | undefined {
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
