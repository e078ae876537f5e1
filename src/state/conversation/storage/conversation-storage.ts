import type { SessionKey } from "../../../engine/host.ts";
import { type Message, messageText } from "../../../engine/model/message.ts";
import {
  type FoundConversations,
  type MemoryEntry,
  type PageRequest,
  ServiceError,
  type TimedMessage,
} from "../../../services/services.ts";

export type ConversationsRequest = PageRequest & { ownOnly?: boolean };

/** One place that keeps conversations, as the memory panel needs it. Rejects with a ServiceError. */
export interface ConversationStorage {
  conversations(workflowId: string, request: ConversationsRequest): Promise<FoundConversations>;
  entries(key: SessionKey): Promise<MemoryEntry[]>;
  append(key: SessionKey, messages: readonly TimedMessage[], options?: { encrypt?: boolean }): Promise<void>;
  /** Null for one without a name; in the order asked. */
  titles(keys: readonly SessionKey[]): Promise<(string | null)[]>;
  replace(key: SessionKey, entry: MemoryEntry, message: Message | null): Promise<void>;
  clear(key: SessionKey): Promise<void>;
}

/** Said when a message was changed or deleted since it was read. */
export function messageIsGone(): ServiceError {
  const hint = "The conversation was loaded again. Check it and try once more.";
  return new ServiceError("conflict", "This message has changed or been deleted.", hint);
}

/** The first question of a conversation as its name, in one line: its words, or else the name of its first file. Null without one. */
export function titleOf(messages: readonly Message[]): string | null {
  for (const message of messages) {
    if (message.role !== "user") continue;
    const title = lineOf(messageText(message)) || lineOf(message.files?.[0]?.name ?? "");
    if (title !== "") return title.slice(0, 200);
  }
  return null;
}

const lineOf = (text: string): string => text.slice(0, 1_000).replace(/\s+/g, " ").trim();
