import { beforeSignOut } from "../stores/before-sign-out.ts";
import { newId } from "../browser/new-id.ts";
import type { Services } from "../services/services.ts";
import { createWorkflowLoader } from "../stores/workflow-loader.ts";
import { createActivity } from "../host/activity.ts";
import { createApiKeys } from "../host/api-keys.ts";
import { createSharedRuns } from "../host/shared-runs.ts";
import { createAuthService } from "../host/auth-service.ts";
import { createBrowserHost } from "../host/browser-host.ts";
import { browserTable } from "../host/browser-table.ts";
import { createCredentialRepository } from "../host/credential-repository.ts";
import { createDoorRepository } from "../host/door-repository.ts";
import { createEvaluationRepository } from "../host/evaluation-repository.ts";
import { createFunctionClient } from "../host/function-client.ts";
import { createGallery } from "../host/gallery.ts";
import { createInbox } from "../host/inbox.ts";
import { createKnowledgeRepository } from "../host/knowledge/knowledge-repository.ts";
import { createKnowledgeSources } from "../host/knowledge/knowledge-sources.ts";
import { createMemoryRepository } from "../host/memory-repository.ts";
import { createPublicationRepository } from "../host/publication-repository.ts";
import { createReadAhead } from "../host/read-ahead.ts";
import { createRunRepository } from "../host/run-repository.ts";
import { sendTurn } from "../host/send-turn.ts";
import { createServerRuns } from "../host/server-runs.ts";
import { type SiteConfig, statusUrl } from "../host/site-config.ts";
import { createStoppedFunctions } from "../host/stopped-functions.ts";
import { createStorageService } from "../host/storage-service.ts";
import { createSupabaseClient } from "../host/supabase-client.ts";
import { createTabMemory } from "../host/tab-memory.ts";
import { createUnsavedTurns } from "../host/unsaved-turns.ts";
import { createVersionRepository } from "../host/version-repository.ts";
import { createWorkflowRepository } from "../host/workflow-repository.ts";
import { browserStorage } from "./browser-storage.ts";

/** Everything from the outside, on one Supabase. */
export function createServices(config: SiteConfig): Services {
  const readAhead = createReadAhead();
  const supabase = createSupabaseClient(config, { fetch: readAhead.noticing((...args) => fetch(...args)) });
  const { database } = supabase;
  const workflows = createWorkflowRepository(supabase);
  const auth = createAuthService(supabase, browserStorage());
  const tab = createTabMemory(auth);
  const stoppedFunctions = createStoppedFunctions(statusUrl(config));
  const functions = {
    // A call that did not begin because the database restarts is made again when it is back.
    fetch: stoppedFunctions.noticing(supabase.pause.patient((...args) => fetch(...args))),
    functionsUrl: `${config.supabaseUrl}/functions/v1`,
    publishableKey: config.supabaseKey,
    accessToken: supabase.accessToken,
  };
  const callFunction = createFunctionClient(functions);
  const unsavedTurns = createUnsavedTurns({
    table: browserTable(() => globalThis.indexedDB, "switchyard-turns", "turns"),
    send: (write) => sendTurn({ database, functions }, write),
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
    versions: createVersionRepository(supabase),
    publications: createPublicationRepository(supabase),
    doors: createDoorRepository(supabase),
    apiKeys: createApiKeys(supabase),
    sharedRuns: createSharedRuns(supabase),
    inbox: createInbox(supabase),
    activity: createActivity(supabase),
    evaluations: createEvaluationRepository(supabase),
    runs: createRunRepository(supabase),
    serverRuns: createServerRuns(supabase),
    credentials: createCredentialRepository(supabase, { local: config.local }),
    memory: createMemoryRepository({ client: supabase, tab, callFunction }),
    knowledge: createKnowledgeRepository(database),
    gallery: { usual: config.gallery, ...createGallery(callFunction) },
    storage: createStorageService(supabase),
    knowledgeSources: createKnowledgeSources(callFunction),
    readAhead: readAhead.begin,
    createHost: ({ approve, pause }) =>
      createBrowserHost({
        ...functions,
        database,
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
