import { RunError } from "../../../engine/errors.ts";
import { createFunctionClient } from "../../shared/storage/function-client.ts";
import { createMessageStores, type Database } from "./message-store.ts";
import type { FunctionAccess } from "../../shared/storage/model-fetch.ts";
import type { TurnWrite } from "./unsaved-turns.ts";
import { createVectorStore } from "./vector-store.ts";

/** Makes a write that waited. Rejects with a RunError. */
export async function sendTurn(
  access: { database: Database; functions: FunctionAccess },
  write: TurnWrite,
): Promise<void> {
  const { id, key } = write;
  const callFunction = createFunctionClient(access.functions);
  switch (write.kind) {
    case "messages": {
      const { messages, encryptedMessages } = createMessageStores(access.database, callFunction);
      const keep = write.keep === undefined ? {} : { keep: write.keep };
      return (write.encrypted ? encryptedMessages : messages).append(key, write.messages, { id, ...keep });
    }
    case "vectors":
      return createVectorStore(access.database).append(key, write.messages, write.model, { id });
    case "redis": {
      const { signal } = new AbortController();
      const answer = await callFunction("redis-memory", write.request, { signal });
      if (!answer.ok) throw new RunError(answer.error);
      return;
    }
    default:
      return write satisfies never;
  }
}
