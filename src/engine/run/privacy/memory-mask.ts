import type { PrivacySettings } from "../../document/workflow-document.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../json.ts";
import { assistantMessage, type Message, messageText } from "../../model/message.ts";

/**
 * What masks the messages that a memory is to store; undefined where the settings leave the memory as it is. The code that
 * finds what is to be masked is loaded only where it is needed.
 */
export async function memoryMask(
  privacy: PrivacySettings | undefined,
): Promise<((messages: readonly Message[]) => Message[]) | undefined> {
  if (privacy?.memory !== true) return undefined;
  const { EventMask } = await import("./event-mask.ts");
  const mask = new EventMask(privacy);
  return (messages) =>
    mask.messages(messages).map((masked, index) => {
      const original = messages[index];
      const object = objectIn(original);
      if (!object) return masked;
      const text = JSON.stringify(mask.value(object));
      if (text === JSON.stringify(object)) return original ?? masked;
      return masked.role === "assistant" ? { ...masked, ...assistantMessage(text) } : masked;
    });
}

/** Masked as text it might be JSON no longer, and a scratchpad whose notes cannot be read counts as empty. */
function objectIn(message: Message | undefined): JsonObject | undefined {
  const [part, ...others] = message?.role === "assistant" ? message.parts : [];
  if (!message || part?.type !== "text" || others.length > 0) return undefined;
  const value = parseJson(messageText(message));
  return isJsonObject(value) ? value : undefined;
}
