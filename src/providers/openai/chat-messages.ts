import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionMessageParam,
  ChatCompletionMessageFunctionToolCall,
} from "openai/resources/chat/completions";
import type { AssistantMessage, Message, ToolCallPart, UserMessage } from "../../engine/model/message.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
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
}

/** Stands between a tool's result and a user's message where the server wants an answer between them. */
const noted = "I have read the results.";

/** DeepSeek refuses an answer without its thinking, even an empty text; older conversations have none. */
const noThinking = " ";

/** The conversation as Chat Completions wants it. */
export function toChatMessages(messages: Message[], dialect: HistoryDialect): ChatCompletionMessageParam[] {
  const result: ChatCompletionMessageParam[] = [];
  for (const message of dialect.merge ? merged(messages) : messages) {
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

function toUser(message: UserMessage, dialect: HistoryDialect): ChatCompletionMessageParam {
  const parts = dialect.images ? message.parts : message.parts.filter((part) => part.type === "text");
  if (parts.every((part) => part.type === "text")) {
    return { role: "user", content: parts.map((part) => part.text).join("\n") };
  }
  return {
    role: "user",
    content: parts.map((part) =>
      part.type === "text" ? { type: "text", text: part.text } : { type: "image_url", image_url: { url: part.url } },
    ),
  };
}

/** An assistant's message with the members in which compatible servers keep thinking. */
type AnswerParam = ChatCompletionAssistantMessageParam & { reasoning_content?: string; reasoning_details?: Json };

function toAssistant(message: AssistantMessage, dialect: HistoryDialect): ChatCompletionMessageParam {
  let text = "";
  const thoughts: string[] = [];
  const calls: ChatCompletionMessageFunctionToolCall[] = [];
  let content: string | undefined;
  let details: Json | undefined;
  for (const part of message.parts) {
    if (part.type === "text") text += part.text;
    else if (part.type === "reasoning") {
      const vendor = isJsonObject(part.vendor) ? part.vendor : {};
      if (vendor.reasoning_details !== undefined) details = vendor.reasoning_details;
      if (vendor.field === "reasoning_content") content = (content ?? "") + part.text;
      if (vendor.field === "thinking") thoughts.push(part.text);
    } else {
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
  try {
    if (!isJsonObject(JSON.parse(part.arguments))) return false;
  } catch {
    return false;
  }
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
