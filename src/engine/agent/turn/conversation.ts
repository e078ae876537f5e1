import { type Message, messageText, type SystemMessage, userMessage, type UserMessage } from "../../model/message.ts";

/**
 * What the model is sent: the system prompt first, then history, then what was read for this turn, then the turn. Appending makes a new list, so that
 * the list of an earlier request (and of its event) never changes.
 */
export interface Conversation {
  /** System prompt, history, context and turn. */
  messages(): Message[];
  /** The user's message. */
  question: UserMessage;
  /** The messages after it, for the memory: also those that a summary has replaced. */
  turn: readonly Message[];
  /** The messages that summaries have replaced, in order. */
  replaced: readonly Message[];
  /** How many messages of history there are. */
  fromMemory: number;
  addToSystem(text: string): void;
  /** Puts what was read for this turn before its question. */
  addContext(context: readonly UserMessage[]): void;
  append(...messages: Message[]): void;
  addUser(text: string): void;
  /** The messages after the question as they are sent. */
  afterQuestion(): readonly Message[];
  /** Puts a summary in the place of the first `count` messages after the question, and `restated` at the end. */
  replaceOldest(count: number, summary: UserMessage, restated: UserMessage): void;
  /** Continues with other messages, such as those that a person edited. */
  replace(messages: readonly Message[]): void;
}

/** A conversation that begins with a question, after the history that the memory gave. An empty system prompt is left out. */
export function startConversation(systemPrompt: string, history: Message[], question: UserMessage): Conversation {
  let system = systemPrompt.trim();
  let rest: Message[] = [...history, question];
  let before = rest.length;
  let whole: Message[] | undefined;
  let replaced: Message[] = [];
  /** What compactions have put into the conversation. */
  const added = new Set<Message>();

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
      const sent = rest.slice(before);
      return added.size === 0 ? sent : [...replaced, ...sent.filter((message) => !added.has(message))];
    },
    get replaced() {
      return replaced;
    },
    afterQuestion: () => rest.slice(before),
    replaceOldest(count, summary, restated) {
      const oldest = rest.slice(before, before + count);
      replaced = [...replaced, ...oldest.filter((message) => !added.has(message))];
      const kept = rest.slice(before + count).filter((message) => !added.has(message));
      added.add(summary).add(restated);
      rest = [...rest.slice(0, before), summary, ...kept, restated];
      whole = undefined;
    },
    addToSystem(text) {
      system = system === "" ? text : `${system}\n\n${text}`;
      whole = undefined;
    },
    addContext(context) {
      rest = rest.toSpliced(before - 1, 0, ...context);
      before += context.length;
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
      // Edited messages are copies, also of what compactions have put in.
      const own = new Set([...added].map(messageText));
      for (const message of rest) if (message.role === "user" && own.has(messageText(message))) added.add(message);
      before = 1 + rest.findLastIndex((message, index) => index < before && message.role === "user");
      whole = undefined;
    },
    addUser(text) {
      conversation.append(userMessage(text));
    },
  };
  return conversation;
}
