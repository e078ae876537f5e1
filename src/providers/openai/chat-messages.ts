import type {
  ChatCompletionMessageParam,
  ChatCompletionMessageFunctionToolCall,
} from "openai/resources/chat/completions";
import type { AssistantMessage, Message, ToolCallPart, UserMessage } from "../../engine/model/message.ts";
import { isJsonObject } from "../../engine/json.ts";

/** How servers differ in what they take as history. */
interface ChatDialect {
  /** Name of the instructions' role. */
  systemRole: "system" | "developer";
  /** Join neighbours of one role and all instructions: chat templates of local models insist on alternation. */
  merge: boolean;
  /** Only well-formed tool arguments in the history: some servers parse them. */
  parsedArguments: boolean;
  images: boolean;
}

/** The conversation as Chat Completions wants it. */
export function toChatMessages(messages: Message[], dialect: ChatDialect): ChatCompletionMessageParam[] {
  const result: ChatCompletionMessageParam[] = [];
  for (const message of dialect.merge ? merged(messages) : messages) {
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
        result.push({ role: "tool", tool_call_id: message.callId, content: message.text });
        break;
      default:
        message satisfies never;
    }
  }
  return result;
}

function toUser(message: UserMessage, dialect: ChatDialect): ChatCompletionMessageParam {
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

function toAssistant(message: AssistantMessage, dialect: ChatDialect): ChatCompletionMessageParam {
  let text = "";
  const calls: ChatCompletionMessageFunctionToolCall[] = [];
  let details: unknown;
  for (const part of message.parts) {
    if (part.type === "text") text += part.text;
    else if (part.type === "reasoning") {
      if (isJsonObject(part.vendor) && part.vendor.reasoning_details !== undefined)
        details = part.vendor.reasoning_details;
    } else {
      const json = dialect.parsedArguments && !hasObject(part) ? "{}" : part.arguments || "{}";
      calls.push({ id: part.callId, type: "function", function: { name: part.toolName, arguments: json } });
    }
  }
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    // OpenRouter wants a reasoning model's own notes back, unchanged, or tool turns lose the thread.
    ...(details !== undefined ? { reasoning_details: details } : {}),
  };
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
