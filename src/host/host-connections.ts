import type { Host, MessageStore, VectorStore } from "../engine/host.ts";
import { createFunctionClient } from "../state/shared/storage/function-client.ts";
import { createFileStore } from "../state/file/storage/file-store.ts";
import { createMcpFetch } from "./mcp-fetch.ts";
import { createMessageStores, type Database } from "../state/conversation/storage/message-store.ts";
import { createModelFetch, type FunctionAccess } from "../state/shared/storage/model-fetch.ts";
import type { ReadAhead } from "../state/conversation/storage/read-ahead.ts";
import { readAllowedValues } from "../state/run/storage/allowed-values.ts";
import type { TurnQueue } from "../state/conversation/storage/unsaved-turns.ts";
import { createVectorStore } from "../state/conversation/storage/vector-store.ts";

/** The parts of a browser's host by which a run speaks to vendors and servers and reaches its memory. */
export function openConnections(
  options: FunctionAccess & { database: Database; unsavedTurns?: TurnQueue; readAhead?: ReadAhead },
): Pick<Host, "fetch" | "allowedValues" | "files" | "messages" | "encryptedMessages" | "vectors" | "mcpFetch"> {
  const { database, unsavedTurns, readAhead } = options;
  const stores = createMessageStores(database, createFunctionClient(options));
  const messages = readAhead?.through(stores.messages, "plain") ?? stores.messages;
  const encryptedMessages = readAhead?.through(stores.encryptedMessages, "encrypted") ?? stores.encryptedMessages;
  const vectors = createVectorStore(database);
  return {
    fetch: createModelFetch(options),
    allowedValues: readAllowedValues(database),
    files: createFileStore(options),
    messages: unsavedTurns ? keepingMessages(messages, unsavedTurns) : messages,
    encryptedMessages: unsavedTurns
      ? keepingMessages(encryptedMessages, unsavedTurns, { encrypted: true })
      : encryptedMessages,
    vectors: unsavedTurns ? keepingVectors(vectors, unsavedTurns) : vectors,
    mcpFetch: createMcpFetch(options),
  };
}

/** Turns that cannot be saved wait in this browser, and come before what is read or written later. */
function keepingMessages(store: MessageStore, queue: TurnQueue, kind: { encrypted?: true } = {}): MessageStore {
  return {
    ...store,
    async load(key, options) {
      await queue.settle(key);
      return store.load(key, options);
    },
    async loadStored(key, options) {
      await queue.settle(key);
      return store.loadStored(key, options);
    },
    append(key, messages, options = {}) {
      const { id, keep } = options;
      if (id === undefined) return store.append(key, messages, options);
      const turn = { kind: "messages", id, key, messages, ...(keep === undefined ? {} : { keep }), ...kind } as const;
      return queue.through(turn, () => store.append(key, messages, options));
    },
  };
}

function keepingVectors(store: VectorStore, queue: TurnQueue): VectorStore {
  return {
    ...store,
    append(key, messages, model, write) {
      if (!write) return store.append(key, messages, model);
      const turn = { kind: "vectors", id: write.id, key, messages, model } as const;
      return queue.through(turn, () => store.append(key, messages, model, write));
    },
  };
}
