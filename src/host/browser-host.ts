import type { Host } from "../engine/host.ts";
import { loadOnce } from "../engine/load-once.ts";
import { nextTask } from "../engine/next-task.ts";
import { createBreather } from "./breathe.ts";
import { createFunctionClient } from "./function-client.ts";
import { lazyKnowledgeStore } from "./knowledge/lazy-knowledge.ts";
import { lazily } from "./lazily.ts";
import type { Database } from "./message-store.ts";
import type { FunctionAccess } from "./model-fetch.ts";
import { keepingRedisTurns } from "./redis-turns.ts";
import type { ReadAhead } from "./read-ahead.ts";
import { createSchemaChecker, startCheckWorker } from "./schema/check-schema.ts";
import { runCodeInWorker } from "./sandbox/code-pool.ts";
import type { TurnQueue } from "./unsaved-turns.ts";

interface BrowserHostOptions extends FunctionAccess {
  database(): Promise<Database>;
  /** Conversations of this tab. */
  tab: Host["tab"];
  /** Where turns wait that a memory did not take; without it they are lost. */
  unsavedTurns?: TurnQueue;
  /** What was read of conversations before the run asks for it. */
  readAhead?: ReadAhead;
  workflows: Host["workflows"];
  approve: Host["approve"];
  pause?: Host["pause"];
  newId: Host["newId"];
}

/** Only runs need them; what cannot be loaded fails as a request does. */
const loadConnections = loadOnce(() => import("./host-connections.ts"));

/** One for all runs: they share the page's thread. */
const breathe = createBreather({ now: () => performance.now(), nextTask });

/** One for all runs, in a worker that is started with the first check that needs it. */
const checkSchema = createSchemaChecker(startCheckWorker);

/** The engine's door to the world in a browser: edge functions, the database as the signed-in user, a sandbox worker. */
export function createBrowserHost(options: BrowserHostOptions): Host {
  const connections = loadOnce(async () => {
    const [{ openConnections }, database] = await Promise.all([loadConnections(), options.database()]);
    return openConnections({ ...options, database });
  });
  const callFunction = createFunctionClient(options);
  return {
    fetch: async (...args) => (await connections()).fetch(...args),
    callFunction: options.unsavedTurns ? keepingRedisTurns(callFunction, options.unsavedTurns) : callFunction,
    messages: lazily(async () => (await connections()).messages),
    encryptedMessages: lazily(async () => (await connections()).encryptedMessages),
    tab: options.tab,
    vectors: lazily(async () => (await connections()).vectors),
    knowledge: lazyKnowledgeStore(options.database),
    mcpFetch: async (...args) => (await connections()).mcpFetch(...args),
    workflows: options.workflows,
    approve: options.approve,
    ...(options.pause ? { pause: options.pause } : {}),
    runCode: runCodeInWorker,
    checkSchema,
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
