import { z } from "zod/mini";
import { sideSession } from "../../engine/memory/memory.ts";
import {
  summaryAdditionHeading,
  summaryInstruction,
  summarySoFarHeading,
} from "../../engine/memory/summary-instructions.ts";
import type { StoredMessage } from "../../engine/host.ts";
import {
  assistantMessage,
  holdsUntrusted,
  type Message,
  messageText,
  toolCalls,
  userMessage,
  type UserMessage,
} from "../../engine/model/message.ts";

const rollingSummary = z.object({
  text: z.string().check(z.minLength(1)),
  /** Id of the last message that it covers. */
  upTo: z.int().check(z.minimum(0)),
  /** How many messages it stands for. */
  messages: z._default(z.int().check(z.minimum(0)), 0),
  /** Whether they hold untrusted content. */
  untrusted: z._default(z.boolean(), false),
});

/** What a session was about, up to one of its messages. */
export type RollingSummary = z.infer<typeof rollingSummary>;

/** Characters of one message that the summary is written from. */
const maxMessageChars = 8_000;
/** Characters that one request for a summary carries, some 15,000 tokens. */
const maxBatchChars = 60_000;

/** Where a session's summary is stored, in the same memory. */
export function summarySession(session: string): string {
  return sideSession(session, "summary");
}

/** The summary as it is stored. */
export function writeSummary(summary: RollingSummary): Message {
  const message = assistantMessage(JSON.stringify(summary));
  return summary.untrusted ? { ...message, untrusted: true } : message;
}

/** A stored summary; undefined where there is none, or one that was edited into something else. */
export function readSummary(stored: Message | undefined): RollingSummary | undefined {
  if (!stored) return undefined;
  try {
    const summary = rollingSummary.safeParse(JSON.parse(messageText(stored))).data;
    return summary && holdsUntrusted([stored]) ? { ...summary, untrusted: true } : summary;
  } catch {
    return undefined;
  }
}

/**
 * The summary as the model reads it. It comes from what was said in the conversation, so it stands where users speak and
 * not among the instructions.
 */
export function summaryMessage(summary: RollingSummary): Message {
  const message = userMessage(`[Summary of the earlier conversation]\n${summary.text}`);
  return summary.untrusted ? { ...message, untrusted: true } : message;
}

/**
 * Where the part begins that stays word for word: at most `keep` messages, whole turns; where the last turn alone is
 * longer than that, this turn.
 */
export function verbatimStart(messages: readonly StoredMessage[], keep: number): number {
  if (messages.length <= keep) return 0;
  const isQuestion = ({ message }: StoredMessage) => message.role === "user";
  const inside = messages.findIndex((stored, index) => index >= messages.length - keep && isQuestion(stored));
  return inside === -1 ? Math.max(0, messages.findLastIndex(isQuestion)) : inside;
}

/**
 * The first part of what falls out that one request can carry, in whole turns; the rest waits for the next one. An imported
 * or long neglected conversation would be too much at once.
 */
export function firstBatch(old: readonly StoredMessage[]): StoredMessage[] {
  let characters = 0;
  for (const [index, { message }] of old.entries()) {
    if (index > 0 && message.role === "user" && characters > maxBatchChars) return old.slice(0, index);
    characters += Math.min(lineOf(message).length, maxMessageChars);
  }
  return old.slice();
}

/** What the model is asked for: a new summary from the one so far and the messages that fall out. */
export function summaryRequest(summary: RollingSummary | undefined, old: readonly Message[]): Message[] {
  const before = summary ? `${summarySoFarHeading}\n${summary.text}\n\n` : "";
  const lines = old.map(lineOf).filter((line) => line !== "");
  return [
    {
      role: "system",
      text: summaryInstruction,
    },
    userMessage(`${before}${summaryAdditionHeading}\n${lines.join("\n")}\n\nWrite the new summary of everything.`),
  ];
}

const namesOfFiles = ({ files = [] }: UserMessage): string[] => files.map(({ name }) => `[file "${name}"]`);

function lineOf(message: Message): string {
  const text = messageText(message).slice(0, maxMessageChars);
  switch (message.role) {
    case "system":
      return "";
    case "user":
      return `User: ${[text, ...namesOfFiles(message)].filter((part) => part !== "").join(" ")}`;
    case "tool":
      return `Result of ${message.toolName}: ${text}`;
    case "assistant": {
      const calls = toolCalls(message).map((call) => `[calls ${call.toolName} with ${call.arguments}]`);
      return `Assistant: ${[text, ...calls].filter((part) => part !== "").join(" ")}`;
    }
    default:
      return message satisfies never;
  }
}
