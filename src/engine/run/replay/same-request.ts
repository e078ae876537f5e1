import type { AskedModel } from "./agent-replay.ts";
import { canonicalJson } from "../../canonical-json.ts";
import type { FileValue } from "../../file/file.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { Message } from "../../model/message.ts";
import type { EventOf } from "../events.ts";
import { isRoundedFrom } from "./rounded-integers.ts";

const moment = /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d:\d\d:\d\d\b/g;

/** A text without what differs between two runs of the same thing: its run's id, dates and times of day. */
function settled(text: string, runIds: readonly string[]): string {
  let plain = text;
  for (const id of runIds) if (id !== "") plain = plain.replaceAll(id, "<run>");
  return plain.replace(moment, "<time>");
}

/** The messages as text, with call ids by order of appearance, since doubled ones get a fresh id in every run. */
function readable(messages: readonly Message[], runIds: readonly string[]): string {
  const ids = new Map<string, string>();
  const idOf = (callId: string) => {
    const known = ids.get(callId) ?? String(ids.size);
    ids.set(callId, known);
    return known;
  };
  const plain = messages.map((message): Json => {
    switch (message.role) {
      case "system":
        return { role: "system", text: settled(message.text, runIds) };
      case "tool":
        return {
          role: "tool",
          callId: idOf(message.callId),
          ok: message.ok,
          text: settled(message.text, runIds),
          ...filesOf(message),
        };
      case "user":
      case "assistant":
        return {
          role: message.role,
          ...(message.role === "user" ? filesOf(message) : {}),
          parts: message.parts.map((part): Json => {
            switch (part.type) {
              case "text":
                return { type: "text", text: settled(part.text, runIds) };
              case "image":
              case "file":
                return { type: part.type, url: part.url };
              case "made-file":
                return { type: part.type, file: part.file.$file };
              case "reasoning":
                return { type: "reasoning", text: part.text };
              case "tool-call":
                return {
                  type: "tool-call",
                  callId: idOf(part.callId),
                  toolName: part.toolName,
                  arguments: part.arguments,
                };
              default:
                return part satisfies never;
            }
          }),
        };
      default:
        return message satisfies never;
    }
  });
  return canonicalJson(plain);
}

/** Files by the id under which a replay finds them: name and hash may be masked. */
function filesOf({ files }: { files?: readonly FileValue[] }): JsonObject {
  return files === undefined ? {} : { files: files.map(({ $file }) => $file) };
}

/**
 * What of a request differs from a recorded one, in a word for the log; undefined when they ask the same. Dates, times of
 * day and the ids of the runs do not count.
 */
export function differenceOf(
  recorded: EventOf<"model-request">,
  asked: AskedModel,
  runIds: readonly string[],
): string | undefined {
  if (recorded.purpose !== asked.purpose) return "purpose";
  if (recorded.provider !== asked.provider || recorded.model !== asked.model) return "model";
  if (recorded.toolChoice !== asked.toolChoice) return "tool choice";
  const tools = (list: AskedModel["tools"]) =>
    canonicalJson(list.map(({ name, description, parameters }) => ({ name, description, parameters })));
  // Tools that may not be called are no part of the question.
  if (asked.toolChoice !== "none" && tools(recorded.tools) !== tools(asked.tools)) return "tools";
  return readable(recorded.messages, runIds) === readable(asked.messages, runIds) ? undefined : "messages";
}

/** Whether two values are the same but for run ids, dates and times of day. */
export function sameValue(recorded: Json, now: Json, runIds: readonly string[]): boolean {
  const [a, b] = [canonicalJson(recorded), canonicalJson(now)];
  return a === b || settled(a, runIds) === settled(b, runIds) || isRoundedFrom(recorded, now);
}
