import type { Message } from "../../model/message.ts";
import {
  assistantMessage,
  type AssistantMessage,
  toolCalls,
  type ToolMessage,
  type UserMessage,
} from "../../model/message.ts";
import { plainParts, repairHistory } from "../turn/conversation.ts";
import type { EarlyFinish } from "../ending.ts";
import { firstChars } from "../tool-call/result-text.ts";
import type { AgentSettings } from "../settings.ts";

const compactResultChars = 500;

function compact(message: ToolMessage): ToolMessage {
  const { text } = message;
  return text.length <= compactResultChars ? message : { ...message, text: `${firstChars(text, compactResultChars)}…` };
}

/**
 * One turn as the memory keeps it: the question, the tool exchanges as the setting says, the answer. Reviews, rounds
 * and earlier drafts are not kept. The answer is marked if untrusted content went into it, whatever else is kept,
 * and where the turn ended early (`incomplete`): then it may have no text, and calls that were never made are left out.
 */
export function turnToRemember(
  setting: AgentSettings["rememberToolCalls"],
  question: UserMessage,
  turn: readonly Message[],
  answer: string,
  { before, after, incomplete }: { before: boolean; after: boolean; incomplete?: EarlyFinish | undefined },
): Message[] {
  const exchanges: (AssistantMessage | ToolMessage)[] = [];
  if (setting !== "none") {
    let tainted = before;
    for (const message of incomplete === undefined ? turn : repairHistory(turn)) {
      if (message.role === "tool") {
        tainted ||= message.untrusted === true;
        // Its pictures were for the turn in which they came.
        const { images: _, ...kept } = message;
        const marked = { ...kept, untrusted: message.untrusted === true };
        exchanges.push(setting === "compact" ? compact(marked) : marked);
      } else if (message.role === "assistant" && toolCalls(message).length > 0) {
        const kept = setting === "compact" ? { ...message, parts: plainParts(message) } : message;
        exchanges.push(tainted ? { ...kept, untrusted: true } : kept);
      }
    }
  }
  const said = turn.findLast((message) => message.role === "assistant");
  const sources = said?.sources;
  const pictures = (said?.parts ?? []).filter((part) => part.type === "image");
  const words =
    answer === "" && (incomplete !== undefined || pictures.length > 0) ? [] : assistantMessage(answer).parts;
  const last: AssistantMessage = {
    role: "assistant",
    parts: [...words, ...pictures],
    ...(sources ? { sources } : {}),
    ...(after ? { untrusted: true } : {}),
    ...(incomplete === undefined ? {} : { incomplete }),
  };
  return [question, ...exchanges, last];
}
