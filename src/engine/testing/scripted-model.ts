import type { Host } from "../host.ts";
import type { JsonObject } from "../json.ts";
import type {
  ChatModel,
  FinishReason,
  ModelCapabilities,
  ModelEvent,
  ModelPrice,
  ModelRequest,
  Usage,
} from "../model/chat-model.ts";
import type { AssistantMessage, Source } from "../model/message.ts";
import type { RunErrorData } from "../errors.ts";

/** A tool call in a script; `arguments` as text when it should be malformed. */
export interface ScriptedCall {
  name: string;
  arguments: JsonObject | string;
  /** `call_<turn>_<index>` when absent. */
  callId?: string;
}

/** One answer of a scripted model. */
export interface ScriptedTurn {
  /** Streamed in these pieces. */
  text?: string | string[];
  reasoning?: string;
  /** URL of a picture that it makes, after its text. */
  image?: string;
  calls?: ScriptedCall[];
  /** Pages that the vendor's own search found. */
  sources?: Source[];
  /** Ends the stream, after any text. */
  error?: Partial<RunErrorData>;
  /** Milliseconds of the host's clock before anything streams. */
  delayMs?: number;
  /** Never ends, until the request is aborted. */
  hang?: boolean;
  /** Ends without `finish` or `error`, as a broken adapter would. */
  silent?: boolean;
  warning?: { message: string; hint: string };
  usage?: Usage;
  finishReason?: FinishReason;
}

/** The turns in order, or a function of the request and its number (from 0). */
export type Script = ScriptedTurn[] | ((request: ModelRequest, index: number) => ScriptedTurn);

interface ScriptedModelOptions {
  /** Needed by `delayMs`. */
  host?: Pick<Host, "sleep">;
  provider?: string;
  modelId?: string;
  capabilities?: Partial<ModelCapabilities>;
  price?: ModelPrice;
}

/** A model that answers from a script and keeps every request. */
export interface ScriptedModel extends ChatModel {
  requests: ModelRequest[];
  /** How many requests were aborted before their end. */
  aborted: number;
}

const cancelled: RunErrorData = { code: "cancelled", message: "The request was aborted.", hint: "", retryable: false };

function failure(error: Partial<RunErrorData>): RunErrorData {
  return {
    code: "model_error",
    message: "The scripted model failed.",
    hint: "Read the script.",
    retryable: false,
    ...error,
  };
}

function answer(turn: ScriptedTurn, index: number, text: string): AssistantMessage {
  const parts: AssistantMessage["parts"] = [];
  if (turn.reasoning) parts.push({ type: "reasoning", text: turn.reasoning });
  if (text) parts.push({ type: "text", text });
  if (turn.image) parts.push({ type: "image", url: turn.image });
  for (const [place, call] of (turn.calls ?? []).entries()) {
    const raw = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
    const callId = call.callId ?? `call_${index + 1}_${place + 1}`;
    parts.push({ type: "tool-call", callId, toolName: call.name, arguments: raw });
  }
  return { role: "assistant", parts, ...(turn.sources ? { sources: turn.sources } : {}) };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** A `ChatModel` that plays a script; past its end it answers with an `internal` error. Never throws. */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  async function* play(request: ModelRequest, index: number): AsyncGenerator<ModelEvent> {
    const turn = typeof script === "function" ? script(request, index) : script[index];
    if (!turn) {
      yield { type: "error", error: failure({ code: "internal", message: `The script has no turn ${index + 1}.` }) };
      return;
    }
    if (turn.delayMs !== undefined) await options.host?.sleep(turn.delayMs, request.signal).catch(() => undefined);
    if (turn.warning) yield { type: "warning", ...turn.warning };
    if (turn.reasoning) yield { type: "reasoning-delta", text: turn.reasoning };
    const chunks = typeof turn.text === "string" ? [turn.text] : (turn.text ?? []);
    for (const text of chunks) yield { type: "text-delta", text };
    if (turn.hang) await untilAborted(request.signal);
    if (request.signal.aborted) {
      model.aborted += 1;
      yield { type: "error", error: cancelled };
    } else if (turn.error) {
      yield { type: "error", error: failure(turn.error) };
    } else if (!turn.silent) {
      const finishReason = turn.finishReason ?? (turn.calls?.length ? "tool-calls" : "stop");
      const usage = turn.usage ?? { inputTokens: 10, outputTokens: 5 };
      yield { type: "finish", message: answer(turn, index, chunks.join("")), finishReason, usage };
    }
  }

  const model: ScriptedModel = {
    provider: options.provider ?? "scripted",
    modelId: options.modelId ?? "scripted-1",
    capabilities: { tools: true, vision: true, streaming: true, json: true, reasoning: true, ...options.capabilities },
    settings: {},
    ...(options.price ? { price: options.price } : {}),
    requests: [],
    aborted: 0,
    stream(request) {
      model.requests.push(request);
      return play(request, model.requests.length - 1);
    },
  };
  return model;
}
