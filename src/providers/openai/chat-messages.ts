import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionMessageFunctionToolCall,
} from "openai/resources/chat/completions";
import type { AssistantMessage, Message, ToolCallPart, UserMessage } from "../../engine/model/message.ts";
import { isJsonObject, type Json, parseJson } from "../../engine/json.ts";
import { fileData } from "../../engine/model/attachments.ts";
import type { FileKind } from "../../engine/model/chat-model.ts";
import { leftOutFile } from "../wire/left-out-file.ts";
import { shortName } from "../wire/short-name.ts";
import type { ChatDialect } from "./chat-dialect.ts";

/** How servers differ in what they take as history. */
interface HistoryDialect extends Pick<
  ChatDialect,
  "answerAfterTools" | "shortCallIds" | "thinkingParts" | "takesReasoning" | "wantsReasoning"
> {
  /** Name of the instructions' role. */
  systemRole: "system" | "developer";
  /** Join neighbours of one role and all instructions: chat templates of local models insist on alternation. */
  merge: boolean;
  /** Only well-formed tool arguments in the history: some servers parse them. */
  parsedArguments: boolean;
  images: boolean;
  files: readonly FileKind[];
}

/** Stands between a tool's result and a user's message where the server wants an answer between them. */
const noted = "I have read the results.";

/** DeepSeek refuses an answer without its thinking, even an empty text; older conversations have none. */
const noThinking = " ";

/** The conversation as Chat Completions wants it. */
export function toChatMessages(messages: Message[], dialect: HistoryDialect): ChatCompletionMessageParam[] {
  const result: ChatCompletionMessageParam[] = [];
  const all = withPicturesOfTools(messages, dialect);
  for (const message of dialect.merge ? merged(all) : all) {
    if (dialect.answerAfterTools && message.role === "user" && result.at(-1)?.role === "tool")
      result.push({ role: "assistant", content: noted });
    switch (message.role) {
      case "system":
        result.push({ role: dialect.systemRole, content: message.text });
        break;
      case "user":
        result.push(toUser(message, dialect));
        break;
      case "assistant":
        result.push(toAssistant(message, dialect));
        break;
      case "tool":
        result.push({ role: "tool", tool_call_id: callId(message.callId, dialect), content: message.text });
        break;
      default:
        message satisfies never;
    }
  }
  return result;
}

/** A tool's answer holds text alone in this API, so the pictures of a turn's tools follow as a message of the user. */
function withPicturesOfTools(messages: Message[], { images }: HistoryDialect): Message[] {
  const result: Message[] = [];
  let pictures: string[] = [];
  const close = () => {
    if (images && pictures.length > 0) {
      const parts = pictures.map((url) => ({ type: "image" as const, url }));
      result.push({ role: "user", parts: [{ type: "text", text: "The pictures that the tools returned:" }, ...parts] });
    }
    pictures = [];
  };
  for (const message of messages) {
    if (message.role !== "tool") close();
    result.push(message);
    if (message.role === "tool") pictures.push(...(message.images ?? []));
  }
  close();
  return result;
}

function toUser(message: UserMessage, dialect: HistoryDialect): ChatCompletionMessageParam {
  const content = message.parts.flatMap((part) => toContent(part, dialect));
  if (content.every((part) => part.type === "text"))
    return { role: "user", content: content.map((part) => part.text).join("\n") };
  return { role: "user", content };
}

function toContent(part: UserMessage["parts"][number], dialect: HistoryDialect): ChatCompletionContentPart[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text }];
    case "image":
      return dialect.images ? [{ type: "image_url", image_url: { url: part.url } }] : [];
    case "file": {
      const file = fileData(part.url);
      if (file === undefined || !dialect.files.includes(file.kind)) return [{ type: "text", text: leftOutFile(part) }];
      if (file.kind === "pdf")
        return [{ type: "file", file: { filename: part.name ?? "document.pdf", file_data: part.url } }];
      const format = file.type === "audio/wav" ? "wav" : "mp3";
      return [{ type: "input_audio", input_audio: { data: file.data, format } }];
    }
    default:
      return part satisfies never;
  }
}

/** An assistant's message with the members in which compatible servers keep thinking, and what they read in files. */
type AnswerParam = ChatCompletionAssistantMessageParam & {
  reasoning_content?: string;
  reasoning_details?: Json;
  annotations?: Json;
};

function toAssistant(message: AssistantMessage, dialect: HistoryDialect): ChatCompletionMessageParam {
  let text = "";
  const thoughts: string[] = [];
  const calls: ChatCompletionMessageFunctionToolCall[] = [];
  let content: string | undefined;
  let details: Json | undefined;
  let readings: Json | undefined;
  for (const part of message.parts) {
    if (part.type === "text") {
      text += part.text;
      if (isJsonObject(part.vendor)) readings ??= part.vendor.annotations;
    } else if (part.type === "reasoning") {
      const vendor = isJsonObject(part.vendor) ? part.vendor : {};
      if (vendor.reasoning_details !== undefined) details = vendor.reasoning_details;
      if (vendor.field === "reasoning_content") content = (content ?? "") + part.text;
      if (vendor.field === "thinking") thoughts.push(part.text);
    } else if (part.type === "tool-call") {
      const json = dialect.parsedArguments && !hasObject(part) ? "{}" : part.arguments || "{}";
      calls.push({
        id: callId(part.callId, dialect),
        type: "function",
        function: { name: part.toolName, arguments: json },
      });
    }
  }
  const reasoning = content || (dialect.wantsReasoning ? noThinking : undefined);
  const answer: AnswerParam = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    // A server that thinks in its answers wants its thinking back, unchanged, or tool turns lose the thread.
    ...(dialect.takesReasoning && details !== undefined ? { reasoning_details: details } : {}),
    ...(dialect.takesReasoning && reasoning !== undefined ? { reasoning_content: reasoning } : {}),
    ...(dialect.takesReasoning && readings !== undefined ? { annotations: readings } : {}),
  };
  if (!dialect.thinkingParts || thoughts.length === 0) return answer;
  // Mistral's own form, which the SDK's types do not know.
  const parts: unknown = [
    { type: "thinking", thinking: [{ type: "text", text: thoughts.join("") }] },
    ...(text === "" ? [] : [{ type: "text", text }]),
  ];
  return { ...answer, content: parts as ChatCompletionAssistantMessageParam["content"] };
}

/** A call's id as the server takes it: another vendor's is turned into nine letters and digits, always the same ones. */
function callId(id: string, { shortCallIds }: HistoryDialect): string {
  return !shortCallIds || /^[A-Za-z0-9]{9}$/.test(id) ? id : shortName(id);
}

const wellFormed = new WeakSet<ToolCallPart>();

/** Whether the call's arguments are a JSON object; each is read once, although every later request repeats it. */
function hasObject(part: ToolCallPart): boolean {
  if (wellFormed.has(part)) return true;
  if (!isJsonObject(parseJson(part.arguments))) return false;
  wellFormed.add(part);
  return true;
}

/** One instruction block first, then neighbours of the same speaker joined; instructions in the middle become user text. */
function merged(messages: Message[]): Message[] {
  const result: Message[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (message.role === "system" && last?.role === "system") {
      result[result.length - 1] = { role: "system", text: `${last.text}\n\n${message.text}` };
      continue;
    }
    const next: Message =
      message.role === "system" && last ? { role: "user", parts: [{ type: "text", text: message.text }] } : message;
    if (next.role === "user" && last?.role === "user") {
      result[result.length - 1] = { role: "user", parts: [...last.parts, ...next.parts] };
    } else if (
      next.role === "assistant" &&
      last?.role === "assistant" &&
      !last.parts.some((part) => part.type === "tool-call")
    ) {
      result[result.length - 1] = { role: "assistant", parts: [...last.parts, ...next.parts] };
    } else {
      result.push(next);
    }
  }
  return result;
}
