import {
  type AssistantMessage,
  type Message,
  type SystemMessage,
  toolCalls,
  type ToolMessage,
  userMessage,
  type UserMessage,
} from "../../model/message.ts";
import { incompleteNote } from "../ending.ts";

/**
 * What the model is sent: the system prompt first, then history, then what was read for this turn, then the turn. Appending makes a new list, so that
 * the list of an earlier request (and of its event) never changes.
 */
export interface Conversation {
  /** System prompt, history, context and turn. */
  messages(): Message[];
  /** The user's message. */
  question: UserMessage;
  /** The messages after it, for the memory. */
  turn: readonly Message[];
  /** How many messages of history there are. */
  fromMemory: number;
  addToSystem(text: string): void;
  append(...messages: Message[]): void;
  addUser(text: string): void;
  /** Continues with other messages, such as those that a person edited. */
  replace(messages: readonly Message[]): void;
}

/**
 * A conversation that begins with a question, after the history that the memory gave and what was read for this turn
 * (`context`). An empty system prompt is left out.
 */
export function startConversation(
  systemPrompt: string,
  history: Message[],
  question: UserMessage,
  context: readonly UserMessage[] = [],
): Conversation {
  let system = systemPrompt.trim();
  let rest: Message[] = [...history, ...context, question];
  let before = rest.length;
  let whole: Message[] | undefined;

  const conversation: Conversation = {
    fromMemory: history.length,
    messages() {
      const first: SystemMessage[] = system === "" ? [] : [{ role: "system", text: system }];
      whole ??= [...first, ...rest];
      return whole;
    },
    get question() {
      const last = rest[before - 1];
      return last?.role === "user" ? last : question;
    },
    get turn() {
      return rest.slice(before);
    },
    addToSystem(text) {
      system = system === "" ? text : `${system}\n\n${text}`;
      whole = undefined;
    },
    append(...messages) {
      rest = [...rest, ...messages];
      whole = whole && [...whole, ...messages];
    },
    replace(messages) {
      const first = messages[0];
      system = first?.role === "system" ? first.text : "";
      rest = messages.filter((message) => message.role !== "system");
      before = 1 + rest.findLastIndex((message, index) => index < before && message.role === "user");
      whole = undefined;
    },
    addUser(text) {
      conversation.append(userMessage(text));
    },
  };
  return conversation;
}

/**
 * History that every vendor accepts: no system messages, no tool result without its call, no call without its result,
 * no empty assistant message. Windows and hand edits leave such halves behind. Answers that ended early say so.
 */
export function repairHistory(history: readonly Message[]): Message[] {
  const repaired: Message[] = [];
  for (let index = 0; index < history.length;) {
    const message = history[index];
    index += 1;
    if (!message || message.role === "system" || message.role === "tool") continue;
    if (message.role === "user") {
      repaired.push(message);
      continue;
    }
    const results = new Map<string, ToolMessage>();
    for (let next = history[index]; next?.role === "tool"; next = history[index]) {
      results.set(next.callId, next);
      index += 1;
    }
    const kept = withNote(keepAnswered(message, results));
    if (kept.parts.length === 0) continue;
    repaired.push(kept);
    for (const call of toolCalls(kept)) {
      const result = results.get(call.callId);
      if (result) repaired.push(result);
    }
  }
  return repaired;
}

function keepAnswered(message: AssistantMessage, results: ReadonlyMap<string, ToolMessage>): AssistantMessage {
  const seen = new Set<string>();
  const parts = message.parts.filter((part) => {
    if (part.type !== "tool-call") return true;
    const keep = results.has(part.callId) && !seen.has(part.callId);
    seen.add(part.callId);
    return keep;
  });
  return parts.length === message.parts.length ? message : { ...message, parts };
}

/** An answer that ended early, with a sentence that says so in the place of the mark, which only the memory knows. */
function withNote(message: AssistantMessage): AssistantMessage {
  const { incomplete, ...rest } = message;
  if (incomplete === undefined) return message;
  const note = incompleteNote(incomplete);
  return { ...rest, parts: [...message.parts, { type: "text", text: rest.parts.length > 0 ? `\n\n${note}` : note }] };
}

/** Text, pictures and tool calls without signatures; thoughts left out. */
export function plainParts(message: AssistantMessage): AssistantMessage["parts"] {
  const parts: AssistantMessage["parts"] = [];
  for (const part of message.parts) {
    if (part.type === "text") parts.push({ type: "text", text: part.text });
    else if (part.type === "image") parts.push({ type: "image", url: part.url });
    else if (part.type === "tool-call") {
      const { type, callId, toolName } = part;
      parts.push({ type, callId, toolName, arguments: part.arguments });
    }
  }
  return parts;
}
