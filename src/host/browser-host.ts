import { documentsInBrowser } from "../documents/documents.ts";
import type { Host } from "../engine/host.ts";
import { nextTask } from "../engine/next-task.ts";
import { createBreather } from "./breathe.ts";
import { createFunctionClient } from "../state/shared/storage/function-client.ts";
import { openConnections } from "./host-connections.ts";
import { createBrowserModel } from "./browser-model.ts";
import { createKnowledgeStore } from "../state/knowledge/storage/knowledge-store.ts";
import type { Database } from "../state/conversation/storage/message-store.ts";
import type { FunctionAccess } from "../state/shared/storage/model-fetch.ts";
import { keepingRedisTurns } from "../state/conversation/storage/redis-turns.ts";
import type { ReadAhead } from "../state/conversation/storage/read-ahead.ts";
import { createSchemaChecker, startCheckWorker } from "./schema/check-schema.ts";
import { runCodeInWorker } from "./sandbox/code-pool.ts";
import type { TurnQueue } from "../state/conversation/storage/unsaved-turns.ts";

/** One for all runs, in workers that are started with the first file. */
const documents = documentsInBrowser();

interface BrowserHostOptions extends FunctionAccess {
  database: Database;
  /** Conversations of this tab. */
  tab: Host["tab"];
  /** Where turns wait that a memory did not take; without it they are lost. */
  unsavedTurns?: TurnQueue;
  /** What was read of conversations before the run asks for it. */
  readAhead?: ReadAhead;
  /** Vectors of queries that earlier runs of the account have embedded. */
  queryVectors?: Host["queryVectors"] | undefined;
  workflows: Host["workflows"];
  approve: Host["approve"];
  pause?: Host["pause"];
  newId: Host["newId"];
}

/** One for all runs: they share the page's thread. */
const breathe = createBreather({ now: () => performance.now(), nextTask });

/** One for all runs, in a worker that is started with the first check that needs it. */
const checkSchema = createSchemaChecker(startCheckWorker);

/** The engine's door to the world in a browser: edge functions, the database as the signed-in user, a sandbox worker. */
export function createBrowserHost(options: BrowserHostOptions): Host {
  const callFunction = createFunctionClient(options);
  return {
    ...openConnections(options),
    callFunction: options.unsavedTurns ? keepingRedisTurns(callFunction, options.unsavedTurns) : callFunction,
    tab: options.tab,
    knowledge: createKnowledgeStore(options.database),
    ...(options.queryVectors ? { queryVectors: options.queryVectors } : {}),
    workflows: options.workflows,
    approve: options.approve,
    ...(options.pause ? { pause: options.pause } : {}),
    runCode: runCodeInWorker,
    documents,
    checkSchema,
    browserModel: async () => createBrowserModel(),
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
