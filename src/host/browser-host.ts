import type { Host } from "../engine/host.ts";
import { createMcpFetch } from "./mcp-fetch.ts";
import { createBreather, nextTask } from "./breathe.ts";
import { createFunctionClient } from "./function-client.ts";
import { lazyKnowledgeStore } from "./knowledge/lazy-knowledge.ts";
import { createMessageStore, type Database } from "./message-store.ts";
import { createVectorStore } from "./vector-store.ts";
import { createModelFetch, type FunctionAccess } from "./model-fetch.ts";
import { runCodeInWorker } from "./sandbox/run-code-in-worker.ts";

export interface BrowserHostOptions extends FunctionAccess {
  database: Database;
  /** Conversations of this tab. */
  tab: Host["tab"];
  workflows: Host["workflows"];
  approve: Host["approve"];
  pause?: Host["pause"];
  newId: Host["newId"];
}

/** One for all runs: they share the page's thread. */
const breathe = createBreather({ now: () => performance.now(), nextTask });

/** The engine's door to the world in a browser: edge functions, the database as the signed-in user, a sandbox worker. */
export function createBrowserHost(options: BrowserHostOptions): Host {
  return {
    fetch: createModelFetch(options),
    callFunction: createFunctionClient(options),
    messages: createMessageStore(options.database),
    tab: options.tab,
    vectors: createVectorStore(options.database),
    knowledge: lazyKnowledgeStore(options.database),
    mcpFetch: createMcpFetch(options),
    workflows: options.workflows,
    approve: options.approve,
    ...(options.pause ? { pause: options.pause } : {}),
    runCode: runCodeInWorker,
    browserModel: async () => (await import("./browser-model.ts")).createBrowserModel(),
    breathe,
    now: Date.now,
    newId: options.newId,
    sleep,
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
