import { type Message, toolCalls } from "../../engine/model/message.ts";

/** The last messages without a beginning that stands inside a tool exchange: no result or call comes first. */
export function wholeWindow(messages: readonly Message[]): Message[] {
  let start = 0;
  for (; start < messages.length; start += 1) {
    const message = messages[start];
    const inside = message?.role === "tool" || (message?.role === "assistant" && toolCalls(message).length > 0);
    if (!inside) break;
  }
  return messages.slice(start);
}
