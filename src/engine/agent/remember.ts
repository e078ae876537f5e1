import type { Message } from "../model/message.ts";
import {
  assistantMessage,
  type AssistantMessage,
  toolCalls,
  type ToolMessage,
  type UserMessage,
} from "../model/message.ts";
import { plainParts } from "./conversation.ts";
import { firstChars } from "./result-text.ts";
import type { AgentSettings } from "./settings.ts";

const compactResultChars = 500;

function compact(message: ToolMessage): ToolMessage {
  const { text } = message;
  return text.length <= compactResultChars ? message : { ...message, text: `${firstChars(text, compactResultChars)}…` };
}

/**
 * One turn as the memory keeps it: the question, the tool exchanges as the setting says, the answer. Reviews, rounds
 * and earlier drafts are not kept. The answer is marked where texts of strangers had a part in it, whatever else is kept.
 */
export function turnToRemember(
  setting: AgentSettings["rememberToolCalls"],
  question: UserMessage,
  turn: readonly Message[],
  answer: string,
  untrusted: boolean,
): Message[] {
  const exchanges: (AssistantMessage | ToolMessage)[] = [];
  if (setting !== "none") {
    for (const message of turn) {
      if (message.role === "tool") exchanges.push(setting === "compact" ? compact(message) : message);
      else if (message.role === "assistant" && toolCalls(message).length > 0)
        exchanges.push(setting === "compact" ? { role: "assistant", parts: plainParts(message) } : message);
    }
  }
  const last = assistantMessage(answer);
  return [question, ...exchanges, untrusted ? { ...last, untrusted } : last];
}
