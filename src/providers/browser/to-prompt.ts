import type { BrowserModelMessage } from "../../engine/model/browser-model.ts";
import { type Message, messageText } from "../../engine/model/message.ts";

/** A conversation as the Prompt API takes it: what was said before, and what is asked now. */
export interface BrowserPrompt {
  messages: BrowserModelMessage[];
  prompt: string;
  /** Whether images had to be left out. */
  leftOutImages: boolean;
}

/**
 * Translates a conversation. A system message may only come first, so a later one is said by the user; results of tools
 * that another model called are told by the user as well. Neighbours of one role become one message, empty ones are left out.
 */
export function toPrompt(conversation: readonly Message[]): BrowserPrompt {
  const messages: BrowserModelMessage[] = [];
  for (const message of conversation) {
    const content = contentOf(message);
    if (content.trim() === "") continue;
    const role = roleOf(message, messages.length === 0);
    const last = messages.at(-1);
    if (last?.role === role) last.content += `\n\n${content}`;
    else messages.push({ role, content });
  }
  const asked = messages.at(-1)?.role === "user" ? messages.pop() : undefined;
  return { messages, prompt: asked?.content ?? "Go on.", leftOutImages: conversation.some(hasImage) };
}

function roleOf({ role }: Message, isFirst: boolean): BrowserModelMessage["role"] {
  switch (role) {
    case "system":
      return isFirst ? "system" : "user";
    case "user":
    case "tool":
      return "user";
    case "assistant":
      return "assistant";
    default:
      return role satisfies never;
  }
}

function contentOf(message: Message): string {
  if (message.role === "tool") return `Result of the tool ${message.toolName}:\n${message.text}`;
  return messageText(message);
}

function hasImage(message: Message): boolean {
  return message.role === "user" && message.parts.some((part) => part.type === "image");
}
