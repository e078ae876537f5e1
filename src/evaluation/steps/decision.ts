import { canonicalJson } from "../../engine/canonical-json.ts";
import { isJsonObject, type Json, parseJson } from "../../engine/json.ts";
import { type AssistantMessage, messageText, toolCalls } from "../../engine/model/message.ts";

/** What a model decided to do next, whatever words it chose. */
export interface Decision {
  /** The same for the same decision. */
  key: string;
  /** The tools that it calls with their arguments; empty where it answers. */
  calls: readonly { name: string; input: Json }[];
  /** The fields of an answer that is JSON, as a classifier gives it. */
  fields?: Json;
}

/**
 * What a model's message decides: which tools are called with which arguments, in any order; else that it answers. Answers in prose
 * are one decision, since no two are the same word by word; answers in JSON are the same when their values are.
 */
export function decisionOf(message: AssistantMessage): Decision {
  const calls = toolCalls(message).map((call) => ({
    name: call.toolName,
    input: parseJson(call.arguments) ?? call.arguments,
  }));
  if (calls.length > 0) {
    const keys = calls.map((call) => `${call.name} ${canonicalJson(call.input)}`).toSorted();
    return { key: keys.join("\n"), calls };
  }
  const fields = readObject(messageText(message));
  if (fields === undefined) return { key: "answer", calls };
  return { key: `answer ${canonicalJson(fields)}`, calls, fields };
}

function readObject(text: string): Json | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}
