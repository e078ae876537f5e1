import { type Message, plainParts } from "../../engine/model/message.ts";

/**
 * A message with another text. Pictures, tool calls and the mark of untrusted content stay; reasoning and vendors' marks go, since
 * they belong to what was said before.
 */
export function withText(message: Message, text: string): Message {
  switch (message.role) {
    case "system":
    case "tool":
      return { ...message, text };
    case "user": {
      const rest = message.parts.filter((part) => part.type !== "text");
      return { ...markOf(message), role: "user", parts: text === "" ? rest : [{ type: "text", text }, ...rest] };
    }
    case "assistant": {
      const rest = plainParts(message).filter((part) => part.type !== "text");
      return { ...markOf(message), role: "assistant", parts: text === "" ? rest : [{ type: "text", text }, ...rest] };
    }
    default:
      return message satisfies never;
  }
}

function markOf({ untrusted }: { untrusted?: true }): { untrusted?: true } {
  return untrusted ? { untrusted } : {};
}
