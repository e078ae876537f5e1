import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import type { AssistantMessage, Message, UserMessage } from "../../model/message.ts";
import type { EventOf } from "../events.ts";
import type { SharedParts } from "./shared-run.ts";
import type { SharedText } from "./shared-text.ts";

type AssistantPart = AssistantMessage["parts"][number];
type UserPart = UserMessage["parts"][number];

/** What a model said: its words if `words`, and of the rest what is shared. */
export function sharedAnswer(
  { parts: said }: AssistantMessage,
  words: boolean,
  parts: SharedParts,
  { text, argumentText }: SharedText,
): AssistantMessage {
  const shared = said.flatMap((part): AssistantPart[] => {
    switch (part.type) {
      case "text":
        return words ? [{ type: "text", text: text(part.text) }] : [];
      case "reasoning":
        return words && parts.prompts ? [{ type: "reasoning", text: text(part.text) }] : [];
      case "image":
        return words && parts.files ? [{ type: "image", url: text(part.url) }] : [];
      // One whose bytes do not go along, see `withPictures`.
      case "made-file":
        return [];
      case "tool-call": {
        const { type, callId, toolName } = part;
        return [{ type, callId, toolName: text(toolName), arguments: argumentText(part.arguments) }];
      }
      default:
        return part satisfies never;
    }
  });
  return { role: "assistant", parts: shared };
}

/** What was sent to a model in this run. What a memory brought from earlier ones is left out; older logs do not say what that was. */
export function sharedMessages(
  { messages, fromMemory }: EventOf<"model-request">,
  parts: SharedParts,
  words: SharedText,
): Message[] {
  const system = messages[0]?.role === "system" ? 1 : 0;
  const lastQuestion = messages.findLastIndex(({ role }) => role === "user");
  const own = fromMemory === undefined ? Math.max(system, lastQuestion) : system + fromMemory;
  return [...messages.slice(0, system), ...messages.slice(own)].map((message): Message => {
    switch (message.role) {
      case "system":
        return { role: "system", text: words.text(message.text) };
      case "user":
        return { role: "user", parts: message.parts.flatMap((part) => userPart(part, parts, words)) };
      case "assistant":
        return sharedAnswer(message, true, parts, words);
      case "tool": {
        const { role, callId, toolName, ok } = message;
        return { role, callId, toolName: words.text(toolName), ok, text: parts.data ? words.text(message.text) : "" };
      }
      default:
        return message satisfies never;
    }
  });
}

function userPart(part: UserPart, { files }: SharedParts, { text }: SharedText): UserPart[] {
  if (part.type === "text") return [{ type: "text", text: text(part.text) }];
  if (!files) return [];
  if (part.type === "image") return [{ type: "image", url: text(part.url) }];
  return [{ type: "file", url: part.url, ...(part.name === undefined ? {} : { name: text(part.name) }) }];
}

/** The question that a run answers; what else it was given counts as data. */
export function sharedInput(input: Json, parts: SharedParts, words: SharedText): Json {
  return typeof input === "string" ? words.data(input) : withTextOf(input, "message", parts, words);
}

/** The words that a run answers with, if an agent said them (`said`); whatever else it gives counts as data. */
export function sharedOutput(output: Json, said: ReadonlySet<string>, parts: SharedParts, words: SharedText): Json {
  const response = isJsonObject(output) ? output["response"] : output;
  const isSaid = typeof response === "string" && said.has(response);
  return isSaid ? withTextOf(output, "response", parts, words) : words.data(output);
}

function withTextOf(value: Json, key: string, parts: SharedParts, { text, data }: SharedText): Json {
  if (typeof value === "string") return text(value);
  const said = isJsonObject(value) ? value[key] : undefined;
  if (!isJsonObject(value) || typeof said !== "string") return data(value);
  const whole = data(value);
  const rest = isJsonObject(whole) ? whole : parts.files ? filesOf(value, text) : {};
  return { ...rest, [key]: text(said) };
}

/** The pictures and files that go with a message. */
function filesOf({ images, files }: JsonObject, text: (text: string) => string): JsonObject {
  const urls = Array.isArray(images) ? images.filter((url) => typeof url === "string") : [];
  const named = (Array.isArray(files) ? files : []).flatMap((file) =>
    isJsonObject(file) && typeof file["url"] === "string"
      ? [{ name: typeof file["name"] === "string" ? text(file["name"]) : "File", url: text(file["url"]) }]
      : [],
  );
  return { ...(urls.length > 0 ? { images: urls.map(text) } : {}), ...(named.length > 0 ? { files: named } : {}) };
}
