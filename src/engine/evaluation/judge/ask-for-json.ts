import type { z } from "zod/mini";
import { onAbort } from "../../time/on-abort.ts";
import { type JsonSchema, parseJson } from "../../json.ts";
import type { ChatModel } from "../../model/chat-model.ts";
import { messageText, userMessage } from "../../model/message.ts";
import { costOf } from "../../model/prices.ts";
import { RunError } from "../../run/errors.ts";

interface Asked<Value> {
  instruction: string;
  question: string;
  schema: JsonSchema;
  /** What the reply has to be. */
  shape: z.ZodMiniType<Value>;
  /** Begins the sentence of an error: "The judge". */
  who: string;
  signal: AbortSignal;
  /** Told what the request took in US dollars; null where the price is not known. */
  onCost(costUsd: number | null): void;
}

/** Characters of a question, some 50,000 tokens. */
const mostChars = 200_000;

/** Asks a model for one JSON object. Rejects with a RunError when the model fails or says something else. */
export async function askForJson<Value>(model: ChatModel, asked: Asked<Value>): Promise<Value> {
  const { instruction, question, schema, shape, who, signal, onCost } = asked;
  if (question.length > mostChars) throw failed(who, `${who} would have to read more than ${mostChars} characters.`);
  signal.throwIfAborted();
  const controller = new AbortController();
  const unwatch = onAbort(signal, () => controller.abort(signal.reason));
  try {
    const events = model.stream({
      messages: [{ role: "system", text: instruction }, userMessage(question)],
      tools: [],
      toolChoice: "auto",
      responseFormat: { type: "json", schema },
      signal: controller.signal,
    });
    for await (const event of events) {
      if (event.type === "error") throw new RunError(event.error);
      if (event.type !== "finish") continue;
      onCost(costOf(model, event.usage));
      const value = readReply(messageText(event.message), shape);
      if (value === undefined) throw failed(who, `${who} did not reply with the JSON that was asked for.`);
      return value;
    }
    throw failed(who, `${who} gave no answer.`);
  } finally {
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
