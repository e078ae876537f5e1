import type { PrivacySettings } from "../../document/workflow-document.ts";
import type { Message } from "../../model/message.ts";

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
  return (messages) => mask.messages(messages);
}
