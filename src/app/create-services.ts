import { loadOnce } from "../engine/load-once.ts";
import { beforeSignOut } from "../stores/before-sign-out.ts";
import { newId } from "../browser/new-id.ts";
import { missingCodeHint } from "../services/missing-code.ts";
import { ServiceError, type Services } from "../services/services.ts";
import { createWorkflowLoader } from "../stores/workflow-loader.ts";
import { createAuthService } from "../host/auth-service.ts";
import { browserTable } from "../host/browser-table.ts";
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
  lazyWorkflowRepository,
} from "../host/lazy-repositories.ts";
import { lazySupabase } from "../host/lazy-supabase.ts";
import { type SiteConfig, statusUrl } from "../host/site-config.ts";
import { createReadAhead } from "../host/read-ahead.ts";
import { createStoppedFunctions } from "../host/stopped-functions.ts";
import { createUnsavedTurns } from "../host/unsaved-turns.ts";
import { browserStorage } from "./browser-storage.ts";

/** Code that is loaded with its first use; the words of a failure can be shown. */
function later<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return loadOnce(() =>
    load().catch(() => {
      throw new ServiceError("offline", "A part of Switchyard could not be loaded.", missingCodeHint);
    }),
  );
}

const loadHost = later(() => import("../host/browser-host.ts"));

/** Everything from the outside, on one Supabase. */
export function createServices(config: SiteConfig): Services {
  const readAhead = createReadAhead();
  const supabase = lazySupabase(
    config,
    readAhead.noticing((...args) => fetch(...args)),
  );
  const workflows = lazyWorkflowRepository(supabase);
  const database = async () => (await supabase.client()).database;
  const auth = createAuthService(supabase, browserStorage());
  const tab = later(async () => (await import("../host/tab-memory.ts")).createTabMemory(auth));
  const stoppedFunctions = createStoppedFunctions(statusUrl(config));
  const functions = {
    // A call that did not begin because the database restarts is made again when it is back.
    fetch: stoppedFunctions.noticing(supabase.pause.patient((...args) => fetch(...args))),
    functionsUrl: `${config.supabaseUrl}/functions/v1`,
    publishableKey: config.supabaseKey,
    accessToken: supabase.accessToken,
  };
  const callFunction = later(async () => (await import("../host/function-client.ts")).createFunctionClient(functions));
  const unsavedTurns = createUnsavedTurns({
    table: browserTable(() => globalThis.indexedDB, "switchyard-turns", "turns"),
    send: async (write) =>
      (await import("../host/send-turn.ts")).sendTurn({ database: await database(), functions }, write),
  });
  auth.onChange((account) => unsavedTurns.use(account?.id));
  window.addEventListener("online", () => void unsavedTurns.retry());
  beforeSignOut(unsavedTurns.retry);
  return {
    auth,
    databasePause: supabase.pause,
    stoppedFunctions,
    unsavedTurns,
    workflows,
    versions: lazyVersionRepository(supabase.client),
    publications: lazyPublicationRepository(supabase.client),
    doors: lazyDoorRepository(supabase.client),
    apiKeys: lazyApiKeys(supabase.client),
    inbox: lazyInbox(supabase.client),
    activity: lazyActivity(supabase.client),
    evaluations: lazyEvaluations(supabase.client),
    runs: lazyRunRepository(supabase.client),
    serverRuns: lazyServerRuns(supabase.client),
    credentials: lazyCredentialRepository(supabase.client),
    memory: lazyMemoryRepository(supabase.client, { tab, callFunction }),
    knowledge: lazyKnowledgeRepository(database),
    gallery: {
      usual: config.gallery,
      read: async (address) => {
        const { createGallery } = await import("../host/gallery.ts");
        return createGallery(await callFunction()).read(address);
      },
    },
    storage: lazyStorageService(supabase.client),
    knowledgeSources: loadOnce(async () => {
      const { createKnowledgeSources } = await import("../host/knowledge/knowledge-sources.ts");
      return createKnowledgeSources(await callFunction());
    }),
    readAhead: readAhead.begin,
    async createHost({ approve, pause }) {
      const [{ createBrowserHost }, tabMemory] = await Promise.all([loadHost(), tab()]);
      return createBrowserHost({
        ...functions,
        database,
        tab: tabMemory,
        unsavedTurns,
        readAhead,
        workflows: createWorkflowLoader(workflows),
        approve,
        ...(pause ? { pause } : {}),
        newId,
      });
    },
  };
}
