import type { Host } from "../engine/host.ts";
import { createMcpFetch } from "./mcp-fetch.ts";
import { createMessageStore, type Database } from "./message-store.ts";
import { createModelFetch, type FunctionAccess } from "./model-fetch.ts";
import { createVectorStore } from "./vector-store.ts";

/** The parts of a browser's host by which a run speaks to vendors and servers and reaches its memory. */
export function openDoors(
  options: FunctionAccess & { database: Database },
): Pick<Host, "fetch" | "messages" | "vectors" | "mcpFetch"> {
  return {
    fetch: createModelFetch(options),
    messages: createMessageStore(options.database),
    vectors: createVectorStore(options.database),
    mcpFetch: createMcpFetch(options),
  };
}
