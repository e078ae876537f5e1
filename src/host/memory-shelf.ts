import type { SessionKey } from "../engine/host.ts";
import type { Message } from "../engine/model/message.ts";
import {
  type Conversation,
  type CountedPage,
  type MemoryEntry,
  type PageRequest,
  ServiceError,
} from "../stores/services.ts";

export type ConversationsRequest = PageRequest & { ownOnly?: boolean };

/** One place that keeps conversations, as the memory panel needs it. Rejects with a ServiceError. */
export interface MemoryShelf {
  conversations(workflowId: string, request: ConversationsRequest): Promise<CountedPage<Conversation>>;
  entries(key: SessionKey): Promise<MemoryEntry[]>;
  append(key: SessionKey, messages: readonly Message[]): Promise<void>;
  replace(key: SessionKey, entry: MemoryEntry, message: Message | null): Promise<void>;
  clear(key: SessionKey): Promise<void>;
}

/** Said when a message was changed or deleted since it was read. */
export function messageIsGone(): ServiceError {
  const hint = "The conversation was loaded again; look at it and try once more.";
  return new ServiceError("conflict", "This message has changed or is gone by now.", hint);
}
