import { holdsUntrusted, type Message, messageText, userMessage } from "../../engine/model/message.ts";

/** Characters of one message that the model is reminded of. */
const maxMessageChars = 8_000;

/**
 * Older messages that are like the question, as one marked message: they stand apart from each other and from what follows,
 * so they are quoted and not part of the talk. They come from what was said, so they stand where users speak and not among
 * the instructions. Undefined where there are none.
 */
export function recalledMessage(recalled: readonly Message[]): Message | undefined {
  const lines = recalled.flatMap((message) => {
    const text = messageText(message).trim();
    return text === "" ? [] : [`${message.role === "user" ? "User" : "Assistant"}: ${indented(text)}`];
  });
  if (lines.length === 0) return undefined;
  const block = userMessage(
    `[From earlier conversation: single messages, oldest first]\n${lines.join("\n")}\n[End of what was said earlier]`,
  );
  return holdsUntrusted(recalled) ? { ...block, untrusted: true } : block;
}

/** Only a message of its own begins at the start of a line. */
function indented(text: string): string {
  const cut = text.length > maxMessageChars ? `${text.slice(0, maxMessageChars)}…` : text;
  return cut.replaceAll(/\r\n|[\n\r\u2028\u2029]/g, "\n  ");
}
