import { type Message, toolCalls } from "../../engine/model/message.ts";

/**
 * The last messages as whole turns: it begins with the first question among them. A window too small for a whole turn
 * begins behind any tool exchange that it cuts.
 */
export function wholeWindow(messages: readonly Message[]): Message[] {
  const question = messages.findIndex((message) => message.role === "user");
  return messages.slice(question === -1 ? afterToolExchange(messages) : question);
}

/** Where the first message stands that is neither a tool's result nor a call. */
function afterToolExchange(messages: readonly Message[]): number {
  const index = messages.findIndex(
    (message) => message.role !== "tool" && !(message.role === "assistant" && toolCalls(message).length > 0),
  );
  return index === -1 ? messages.length : index;
}
