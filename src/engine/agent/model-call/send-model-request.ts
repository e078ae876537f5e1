import type { Wired } from "../../document/define-node.ts";
import type {
  ChatModel,
  FinishReason,
  ModelEvent,
  ModelRequest,
  ResponseFormat,
  ToolChoice,
  ToolDefinition,
  Usage,
} from "../../model/chat-model.ts";
import type { AssistantMessage, Message } from "../../model/message.ts";
import { costOf } from "../../model/prices.ts";
import type { RunErrorData } from "../../errors.ts";
import type { ModelPurpose } from "../../run/events.ts";
import { bookModelCall, type BookedCall } from "../../spending/book-call.ts";
import { inputLimitOf } from "../../spending/call-cost.ts";
import type { MeasuredInput } from "../../spending/input-tokens.ts";
import { roughTokensAbove } from "../../spending/rough-tokens.ts";
import { settleOrAbort } from "../../time/deadline.ts";
import type { Execution, Handler } from "../execution.ts";
import { createFileGiver } from "./give-files.ts";
import { createPictureKeeper } from "./keep-pictures.ts";

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

/** The same request to one of the models. */
export interface ModelAttempt extends ModelCall {
  model: Wired<ChatModel>;
}

/** How one attempt ended. `text`: the part of the answer that the user has already seen. */
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

/** Makes attempts. Failures are results; it rejects when the deadline aborts and where a replay must not be left. */
type MakeAttempt = Handler<ModelAttempt, AttemptResult>;

/** How a model's stream ends. */
type Ending = Extract<ModelEvent, { type: "finish" | "error" }>;

/** The end of a stream that stopped without a finish event. */
const brokenStream: RunErrorData = {
  code: "model_error",
  message: "The model's answer ended without a proper end.",
  hint: "Try again. If it keeps happening, the server may not speak the expected format.",
  retryable: true,
};

/** What has arrived of an answer so far. */
interface Arrived {
  callId: string;
  text: string;
  /** Milliseconds since 1970 by the host's clock; absent until the first piece is there. */
  firstTokenAt: number | undefined;
  /** Absent until the model is asked. */
  stream?: AsyncIterator<ModelEvent>;
  /** Nobody waits for the answer any more: whatever still arrives is dropped. */
  closed: boolean;
}

/** Makes what sends the requests of one agent execution. */
export function createSender(execution: Execution): MakeAttempt {
  const { run, deadline, progress, warn } = execution;
  const { host, nodeId } = run;
  const giveFiles = createFileGiver(execution);
  const keepPictures = createPictureKeeper(execution);
  const { signal } = deadline;
  // Warnings that the log has already; a model says the same on every call.
  const warned = new Set<string>();
  const measured = new Map<ChatModel, MeasuredInput>();

  /**
   * Asks the model and follows its stream to the end: events `text-delta`, `reasoning-delta`, `warning` and `log`, and in
   * `arrived` what there is so far. Rejects where the stream throws.
   */
  async function follow(
    attempt: ModelAttempt,
    arrived: Arrived,
    { maxOutputTokens }: Pick<BookedCall, "maxOutputTokens">,
  ): Promise<Ending> {
    const { model, messages, tools, toolChoice, responseFormat } = attempt;
    const { callId } = arrived;
    if (host.checkpoint) {
      await host.checkpoint();
      signal.throwIfAborted();
    }
    const request: ModelRequest = { messages, tools, toolChoice, responseFormat, signal };
    if (maxOutputTokens !== undefined) request.maxOutputTokens = maxOutputTokens;
    const stream = model.value.stream(request)[Symbol.asyncIterator]();
    arrived.stream = stream;
    for (;;) {
      const { done, value: event } = await stream.next();
      const turn = host.breathe?.();
      if (turn) await turn;
      if (done || arrived.closed) return { type: "error", error: brokenStream };
      switch (event.type) {
        case "text-delta":
          arrived.firstTokenAt ??= host.now();
          arrived.text += event.text;
          run.emit({ type: "text-delta", nodeId, callId, text: event.text });
          break;
        case "reasoning-delta":
          arrived.firstTokenAt ??= host.now();
          run.emit({ type: "reasoning-delta", nodeId, callId, text: event.text });
          break;
        case "warning":
          warnOnce(event, model.nodeId);
          break;
        case "progress":
          run.emit({ type: "log", nodeId: model.nodeId, level: "info", message: event.message });
          break;
        case "finish":
        case "error":
          return event;
        default:
          return event satisfies never;
      }
    }
  }

  /** Books the attempt with every spending limit that it is under. Rejects when the deadline aborts. */
  async function book(attempt: ModelAttempt) {
    const { model } = attempt;
    const { spending = [] } = run;
    const caller = { host, spending, nodeId: model.nodeId, signal };
    const asked = bookModelCall(model.value, attempt, caller, measured.get(model.value));
    const booking = asked instanceof Promise ? await asked : asked;
    if (booking.ok && booking.isUncounted) warnOnce(unknownPriceWarning(model.value.modelId), model.nodeId);
    const { uncounted, modelId } = model.value;
    if (booking.ok && booking.amount && uncounted) warnOnce(uncountedWarning(uncounted, modelId), model.nodeId);
    return booking;
  }

  /** Says before it is sent that a request is probably longer than its model takes. */
  function warnOfLength({ model, messages, tools }: ModelAttempt): void {
    const { provider, catalog = provider, modelId } = model.value;
    const limit = inputLimitOf(catalog, modelId);
    const tokens = limit === null ? 0 : roughTokensAbove(limit, { messages, tools });
    if (limit !== null && tokens > 0) warnOnce(tooLongWarning(modelId, tokens, limit), model.nodeId);
  }

  function warnOnce({ message, hint }: { message: string; hint: string }, nodeId: string): void {
    if (warned.has(message)) return;
    warned.add(message);
    warn(message, hint, nodeId);
  }

  /**
   * Sends one request and follows its stream: events `model-request`, deltas and exactly one `model-response`; none of them
   * where a spending limit has no room for it. Returns as soon as the deadline aborts, even when the model does not.
   */
  return async (attempt) => {
    const { iteration } = progress;
    const { model, purpose, fromMemory, messages, tools, toolChoice } = attempt;
    // The log names files; only the request itself holds their content.
    const sent = { ...attempt, messages: await giveFiles(messages, model.value) };
    const booking = await book(sent);
    if (!booking.ok) return { ok: false, error: booking.error, text: "", costUsd: 0 };
    const { amount, maxOutputTokens } = booking;
    warnOfLength(sent);
    const callId = host.newId();
    progress.lastModelCall = callId;
    const call = { nodeId, modelNodeId: model.nodeId, edgeId: model.edgeId, callId, iteration };
    const startedAt = host.now();
    const arrived: Arrived = { callId, text: "", firstTokenAt: undefined, closed: false };

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
      messages,
      fromMemory,
      tools,
      toolChoice,
      booked: amount && { ...amount, maxOutputTokens },
    });

    const settled = await settleOrAbort(follow(sent, arrived, booking), signal);
    arrived.closed = true;
    const { text, firstTokenAt, stream } = arrived;
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
      const { finishReason, rawFinishReason, usage } = ending;
      const costUsd = costOf(model.value, usage);
      booking.settle(costUsd, times.durationMs);
      const message = await keepPictures(ending.message);
      if (booking.amount && usage && usage.inputTokens > 0)
        measured.set(model.value, { messages: [...sent.messages], tools, tokens: usage.inputTokens });
      if (finishReason === "length" && maxOutputTokens !== undefined)
        warnOnce(shortenedWarning(maxOutputTokens), model.nodeId);
      // Aborted while its pictures were stored, it may lack some of them.
      const isCut = signal.aborted;
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
        finishReason: isCut ? "cancelled" : finishReason,
        rawFinishReason,
        usage,
        costUsd,
      });
      if (isCut) return { ok: false, error: brokenStream, text, costUsd };
      return { ok: true, message, finishReason, rawFinishReason, usage, costUsd };
    }

    const message = partialMessage(text);
    // A refused request costs nothing; what a cut or stopped one cost is not known, unless the model is free.
    const refused = firstTokenAt === undefined && !signal.aborted;
    const costUsd = refused ? 0 : costOf(model.value, undefined);
    booking.settle(stream === undefined ? 0 : costUsd, times.durationMs);
    const failed = !signal.aborted && ending.type === "error";
    const error: RunErrorData = failed ? { nodeId: model.nodeId, ...ending.error } : brokenStream;
    const end = failed
      ? { finishReason: "error" as const, costUsd, error }
      : { finishReason: "cancelled" as const, costUsd };
    run.emit({ type: "model-response", ...call, ...times, message, ...end });
    return { ok: false, error, text, costUsd };
  };
}

function unknownPriceWarning(model: string) {
  return {
    message: `The price of ${model} is not known, so the spending limit does not count its calls.`,
    hint: "Enter its price on the model node (0 for a server of your own), then publish the workflow again.",
  };
}

function uncountedWarning(what: string, model: string) {
  return {
    message: `The spending limit counts the tokens of ${model}, but not what its vendor charges for ${what}.`,
    hint: "Set a limit at the vendor as well, or switch off on the model node what makes them.",
  };
}

function tooLongWarning(model: string, tokens: number, limit: number) {
  const about = (count: number) => Number(count.toPrecision(2)).toLocaleString("en");
  return {
    message: `The request has about ${about(tokens)} tokens, and ${model} takes ${limit.toLocaleString("en")}: it will probably refuse.`,
    hint: "Begin a new conversation, let the memory keep fewer messages, shorten tool results, or choose a model with a longer context.",
  };
}

function shortenedWarning(tokens: number) {
  return {
    message: `The answer was cut at ${tokens} tokens, since a spending limit applies and the model node sets no limit of its own.`,
    hint: "Set Max tokens on the model node, or raise the spending limit.",
  };
}

function fromThrow(error: unknown): RunErrorData {
  const cause = error instanceof Error ? error.message : String(error);
  const message = `The model connection failed in an unexpected way: ${cause}`;
  return { code: "model_error", message, hint: "Try again, or choose another model.", retryable: false, cause };
}

function partialMessage(text: string): AssistantMessage {
  return { role: "assistant", parts: text === "" ? [] : [{ type: "text", text }] };
}
