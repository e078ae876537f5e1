import type { z } from "zod/mini";
import { onAbort } from "../../engine/time/on-abort.ts";
import { type JsonSchema, parseJson } from "../../engine/json.ts";
import type { ChatModel, ModelRequest } from "../../engine/model/chat-model.ts";
import { messageText, userMessage } from "../../engine/model/message.ts";
import { costOf } from "../../engine/model/prices.ts";
import { RunError } from "../../engine/errors.ts";
import { bookModelCall, type Caller } from "../../engine/spending/book-call.ts";

/** How the money of a request is counted. */
export interface Spending {
  /** The limit that it is booked with, and whether models without a known price pass it; no limit where absent. */
  host?: Caller["host"];
  /** Told what the request took in US dollars; null where the price is not known. */
  onCost(costUsd: number | null): void;
}

interface Asked<Value> extends Spending {
  instruction: string;
  question: string;
  schema: JsonSchema;
  /** What the reply has to be. */
  shape: z.ZodMiniType<Value>;
  /** Begins the sentence of an error: "The judge". */
  who: string;
  signal: AbortSignal;
}

/** Characters of a question, some 50,000 tokens. */
const mostChars = 200_000;

/**
 * Asks a model for one JSON object. Rejects with a RunError when the model fails or says something else, and with code `budget` where
 * a spending limit has no room for it.
 */
export async function askForJson<Value>(model: ChatModel, asked: Asked<Value>): Promise<Value> {
  const { instruction, question, schema, shape, who, signal, host = {}, onCost } = asked;
  if (question.length > mostChars) throw failed(who, `${who} would have to read more than ${mostChars} characters.`);
  signal.throwIfAborted();
  const controller = new AbortController();
  const unwatch = onAbort(signal, () => controller.abort(signal.reason));
  const request: ModelRequest = {
    messages: [{ role: "system", text: instruction }, userMessage(question)],
    tools: [],
    toolChoice: "auto",
    responseFormat: { type: "json", schema },
    signal: controller.signal,
  };
  const booking = await bookModelCall(model, request, { host, spending: [], signal });
  if (!booking.ok) throw new RunError(booking.error);
  // What a stream has cost that breaks off is not known.
  let costUsd: number | null = null;
  try {
    if (booking.maxOutputTokens !== undefined) request.maxOutputTokens = booking.maxOutputTokens;
    let hasBegun = false;
    for await (const event of model.stream(request)) {
      if (event.type === "error") {
        if (!hasBegun && !signal.aborted) costUsd = 0;
        throw new RunError(event.error);
      }
      hasBegun = true;
      if (event.type !== "finish") continue;
      costUsd = costOf(model, event.usage);
      onCost(costUsd);
      const value = readReply(messageText(event.message), shape);
      if (value === undefined) throw failed(who, `${who} did not reply with the JSON that was asked for.`);
      return value;
    }
    throw failed(who, `${who} gave no answer.`);
  } finally {
    booking.settle(costUsd);
    unwatch();
  }
}

/** The one JSON object that the reply is, or that stands in a code fence. */
function readReply<Value>(reply: string, shape: z.ZodMiniType<Value>): Value | undefined {
  const fenced = /```(?:json)?\s*\n([^`]*)```/i.exec(reply);
  const start = reply.indexOf("{");
  const bare = start < 0 ? "" : reply.slice(start, reply.lastIndexOf("}") + 1);
  for (const text of [reply, fenced?.[1] ?? "", bare]) {
    const read = shape.safeParse(parseJson(text));
    if (read.success) return read.data;
  }
  return undefined;
}

function failed(who: string, message: string): RunError {
  const hint = `Try again, or choose another model for ${who.toLowerCase()}.`;
  return new RunError({ code: "model_error", message, hint, retryable: true });
}
