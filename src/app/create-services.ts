import { loadOnce } from "../engine/load-once.ts";
import { beforeSignOut } from "../stores/before-sign-out.ts";
import { newId } from "../browser/new-id.ts";
import type { Services } from "../services/services.ts";
import { createWorkflowLoader } from "../stores/workflow-loader.ts";
import { createAuthService } from "../host/auth-service.ts";
import { browserTable } from "../host/browser-table.ts";
import { createBrowserHost } from "../host/browser-host.ts";
import { createFunctionClient } from "../host/function-client.ts";
import { lazyKnowledgeRepository } from "../host/knowledge/lazy-knowledge.ts";
import {
  lazyActivity,
  lazyApiKeys,
  lazyCredentialRepository,
  lazyDoorRepository,
  lazyEvaluations,
  lazyInbox,
  lazyMemoryRepository,
  lazyPublicationRepository,
  lazyRunRepository,
  lazyServerRuns,
  lazyStorageService,
  lazyVersionRepository,
} from "../host/lazy-repositories.ts";
import type { SiteConfig } from "../host/site-config.ts";
import { createReadAhead } from "../host/read-ahead.ts";
import { createStoppedFunctions } from "../host/stopped-functions.ts";
import { createSupabaseClient } from "../host/supabase-client.ts";
import { createTabMemory } from "../host/tab-memory.ts";
import { createUnsavedTurns } from "../host/unsaved-turns.ts";
import { createWorkflowRepository } from "../host/workflow-repository.ts";
import { browserStorage } from "./browser-storage.ts";

/** Everything from the outside, on one Supabase. */
export function createServices(config: SiteConfig): Services {
  const readAhead = createReadAhead();
  const client = createSupabaseClient(config, { fetch: readAhead.noticing((...args) => fetch(...args)) });
  const workflows = createWorkflowRepository(client);
  const auth = createAuthService(client, browserStorage());
  const tab = createTabMemory(auth);
  const stoppedFunctions = createStoppedFunctions(`${config.supabaseUrl}/.well-known/switchyard`);
  const functions = {
    // A call that did not begin because the database restarts is made again when it is back.
    fetch: stoppedFunctions.noticing(client.pause.patient((...args) => fetch(...args))),
    functionsUrl: `${config.supabaseUrl}/functions/v1`,
    publishableKey: config.supabaseKey,
    accessToken: client.accessToken,
  };
  const unsavedTurns = createUnsavedTurns({
    table: browserTable(() => globalThis.indexedDB, "switchyard-turns", "turns"),
    send: async (write) =>
      (await import("../host/send-turn.ts")).sendTurn({ database: client.database, functions }, write),
  });
  auth.onChange((account) => unsavedTurns.use(account?.id));
  window.addEventListener("online", () => void unsavedTurns.retry());
  beforeSignOut(unsavedTurns.retry);
  return {
    auth,
    databasePause: client.pause,
    stoppedFunctions,
    unsavedTurns,
    workflows,
    versions: lazyVersionRepository(client),
    publications: lazyPublicationRepository(client),
    doors: lazyDoorRepository(client),
    apiKeys: lazyApiKeys(client),
    inbox: lazyInbox(client),
    activity: lazyActivity(client),
    evaluations: lazyEvaluations(client),
    runs: lazyRunRepository(client),
    serverRuns: lazyServerRuns(client),
    credentials: lazyCredentialRepository(client),
    memory: lazyMemoryRepository({ client, tab, callFunction: createFunctionClient(functions) }),
    knowledge: lazyKnowledgeRepository(client.database),
    gallery: {
      usual: config.gallery,
      read: async (address) =>
        (await import("../host/gallery.ts")).createGallery(createFunctionClient(functions)).read(address),
    },
    storage: lazyStorageService(client),
    knowledgeSources: loadOnce(async () => {
      const { createKnowledgeSources } = await import("../host/knowledge/knowledge-sources.ts");
      return createKnowledgeSources(createFunctionClient(functions));
    }),
    readAhead: readAhead.begin,
    createHost: ({ approve, pause }) =>
      createBrowserHost({
        ...functions,
        database: client.database,
        tab,
        unsavedTurns,
        readAhead,
        workflows: createWorkflowLoader(workflows),
        approve,
        ...(pause ? { pause } : {}),
        newId,
      }),
  };
}
