import { randomUUID } from "node:crypto";
import { PostgrestClient } from "@supabase/postgrest-js";
import type { Host, MessageStore } from "../src/engine/host.ts";
import { queryVectors } from "../src/engine/in-memory/query-vectors.ts";
import { memoryStore } from "../src/engine/in-memory/memory-store.ts";
import type { KnowledgeStore } from "../src/engine/knowledge/knowledge.ts";
import { createDatabasePause } from "../src/state/shared/storage/database-pause.ts";
import { createFunctionClient } from "../src/state/shared/storage/function-client.ts";
import { openConnections } from "../src/host/host-connections.ts";
import { createKnowledgeStore } from "../src/state/knowledge/storage/knowledge-store.ts";
import { checkSchemaInThread } from "./runtime/check-schema.ts";
import { documentsInThreads } from "./runtime/documents.ts";
import type { SpendingLimit } from "../src/engine/spending/spending-limit.ts";
import { runCodeInThread } from "./runtime/run-code.ts";
import type { RunLife } from "./run-life.ts";

/** One for all runs, in threads that are started with the first file. */
const documents = documentsInThreads();

/** One for all runs: some 12 MB where a vector has 1,536 numbers. */
const queries = queryVectors(1_000, Date.now);

/** Where the studio's API is and who asks. */
export interface StudioAccess {
  /** Origin, without a slash at the end. */
  url: string;
  publishableKey: string;
  /** A token of the run's owner that lasts for some minutes. */
  accessToken(): Promise<string>;
  /** What makes the requests; the usual one by default. */
  fetch?: typeof fetch | undefined;
  /** The same `fetch`, for an API that may be away for a while. */
  patient?: ((send: typeof fetch) => typeof fetch) | undefined;
}

interface ServerHostOptions extends Pick<
  Host,
  "workflows" | "approve" | "wait" | "checkpoint" | "spending" | "allowsUnknownPrices"
> {
  access: StudioAccess;
  /** Whose run it is. */
  owner: string;
  life: RunLife;
}

/**
 * The engine's door to the world on a server: tables and edge functions over HTTP with the rights of the run's owner, so
 * that row level security holds and keys stay in the functions; code in a sandbox thread.
 */
export function createServerHost(options: ServerHostOptions): Host {
  const { access, owner, life, workflows, approve, wait, checkpoint, spending, allowsUnknownPrices = false } = options;
  // What did not begin because the database restarts is asked again when it is back.
  const { patient } = createDatabasePause(`${access.url}/.well-known/switchyard`);
  // Each request asks anew whether the run is still this worker's: a token may have been waited for, or the database.
  const send = access.fetch ?? fetch;
  const ofRun: typeof fetch = (input, init) => life.during(() => send(input, init));
  const patientFetch = patient(access.patient?.(ofRun) ?? ofRun);
  const database = openDatabase(access, patientFetch);
  const functions = {
    fetch: patientFetch,
    functionsUrl: `${access.url}/functions/v1`,
    publishableKey: access.publishableKey,
    accessToken: access.accessToken,
  };
  const connections = openConnections({ ...functions, database });
  const callFunction = createFunctionClient(functions);
  const knowledge = createKnowledgeStore(database);
  const { allowedValues, vectors, files } = connections;
  const tab = memoryStore(Date.now);
  return {
    fetch: (...args) => life.duringStream(() => connections.fetch(...args)),
    mcpFetch: (...args) => life.duringStream(() => connections.mcpFetch(...args)),
    callFunction: (...args) => life.during(() => callFunction(...args)),
    messages: messagesDuring(life, connections.messages),
    encryptedMessages: messagesDuring(life, connections.encryptedMessages),
    tab,
    tabLastsFor: "run",
    ...(allowedValues ? { allowedValues: (...args) => life.during(() => allowedValues(...args)) } : {}),
    ...(files
      ? {
          files: {
            find: (...args) => life.during(() => files.find(...args)),
            open: (...args) => life.during(() => files.open(...args)),
            create: (...args) => life.during(() => files.create(...args)),
          },
        }
      : {}),
    vectors: {
      append: (...args) => life.during(() => vectors.append(...args)),
      search: (...args) => life.during(() => vectors.search(...args)),
    },
    knowledge: knowledgeDuring(life, knowledge),
    queryVectors: queries.of(owner),
    workflows: { load: (id) => life.during(() => workflows.load(id)) },
    approve,
    ...(wait ? { wait } : {}),
    checkpoint,
    ...(spending ? { spending: spendingDuring(life, spending) } : {}),
    allowsUnknownPrices,
    runCode: (request, signal) => life.during(() => runCodeInThread(request, signal, owner)),
    documents: (work, signal) => life.during(() => documents(work, signal, owner)),
    checkSchema: (request, signal) => life.during(() => checkSchemaInThread(request, signal, owner)),
    now: Date.now,
    newId: randomUUID,
    sleep: (ms, signal) => sleep(life, ms, signal),
  };
}

/** A call that waits for its turn at a limit keeps the run on its worker. */
function spendingDuring(life: RunLife, spending: SpendingLimit): SpendingLimit {
  return { reserve: (...args) => life.during(() => spending.reserve(...args)), count: (usd) => spending.count(usd) };
}

function knowledgeDuring(life: RunLife, knowledge: KnowledgeStore): KnowledgeStore {
  return {
    collection: (...args) => life.during(() => knowledge.collection(...args)),
    fields: (...args) => life.during(() => knowledge.fields(...args)),
    search: (...args) => life.during(() => knowledge.search(...args)),
    findDocuments: (...args) => life.during(() => knowledge.findDocuments(...args)),
    putDocument: (...args) => life.during(() => knowledge.putDocument(...args)),
    setMetadata: (...args) => life.during(() => knowledge.setMetadata(...args)),
    storedChunks: (...args) => life.during(() => knowledge.storedChunks(...args)),
    arrangeChunks: (...args) => life.during(() => knowledge.arrangeChunks(...args)),
    addChunks: (...args) => life.during(() => knowledge.addChunks(...args)),
    recordCost: (...args) => life.during(() => knowledge.recordCost(...args)),
    finishDocument: (...args) => life.during(() => knowledge.finishDocument(...args)),
    removeDocument: (...args) => life.during(() => knowledge.removeDocument(...args)),
  };
}

function messagesDuring(life: RunLife, messages: MessageStore): MessageStore {
  return {
    load: (...args) => life.during(() => messages.load(...args)),
    loadStored: (...args) => life.during(() => messages.loadStored(...args)),
    append: (...args) => life.during(() => messages.append(...args)),
    prune: (...args) => life.during(() => messages.prune(...args)),
  };
}

function openDatabase(access: StudioAccess, send: typeof fetch): PostgrestClient {
  const authorized: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("apikey", access.publishableKey);
    headers.set("authorization", `Bearer ${await access.accessToken()}`);
    return send(input, { ...init, headers });
  };
  return new PostgrestClient(`${access.url}/rest/v1`, { fetch: authorized, retry: false });
}

/** Sleeping counts as nothing under way: a run that only sleeps and waits for a person may be put aside. */
function sleep(life: RunLife, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      if (!life.isOver) reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      if (!life.isOver) resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
