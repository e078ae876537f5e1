import type { Host } from "../engine/host.ts";
import { queryVectors } from "../engine/in-memory/query-vectors.ts";
import { beforeSignOut } from "../state/account/before-sign-out.ts";
import { newId } from "../state/shared/new-id.ts";
import type { PriceService, Services } from "../services/services.ts";
import { createWorkflowLoader } from "../state/document/workflow-loader.ts";
import { createActivity } from "../state/account/storage/activity.ts";
import { createAllowedValues } from "../state/run/storage/allowed-values.ts";
import { createApiKeys } from "../state/publication/storage/api-keys.ts";
import { createSharedRuns } from "../state/run/storage/shared-runs.ts";
import { createAuthService } from "../state/account/storage/auth-service.ts";
import { createBrowserHost } from "../host/browser-host.ts";
import { browserTable } from "../state/shared/storage/browser-table.ts";
import { createCredentialRepository } from "../state/credential/storage/credential-repository.ts";
import { createDoorRepository } from "../state/publication/storage/door-repository.ts";
import { createEvaluationRepository } from "../state/evaluation/storage/evaluation-repository.ts";
import { createFileService } from "../state/file/storage/file-service.ts";
import { createFunctionClient } from "../state/shared/storage/function-client.ts";
import { createGallery } from "../state/document/storage/gallery.ts";
import { createInbox } from "../state/run/storage/inbox.ts";
import { createKnowledgeRepository } from "../state/knowledge/storage/knowledge-repository.ts";
import { hasBuiltInEmbeddings } from "../state/knowledge/storage/built-in-embeddings.ts";
import { installedScans } from "../state/knowledge/storage/installed-scans.ts";
import { createKnowledgeSources } from "../state/knowledge/storage/knowledge-sources.ts";
import { createWebSources } from "../state/knowledge/storage/web-sources.ts";
import { createMemoryRepository } from "../state/conversation/storage/memory-repository.ts";
import { createPublicationRepository } from "../state/publication/storage/publication-repository.ts";
import { createReadAhead } from "../state/conversation/storage/read-ahead.ts";
import { createRetrievalQuality } from "../state/knowledge/storage/retrieval-quality.ts";
import { createRunRepository } from "../state/run/storage/run-repository.ts";
import { sendTurn } from "../state/conversation/storage/send-turn.ts";
import { createServerRuns } from "../state/run/storage/server-runs.ts";
import { type SiteConfig, statusUrl } from "../state/shared/storage/site-config.ts";
import { createStoppedFunctions } from "../state/shared/storage/stopped-functions.ts";
import { createStorageService } from "../state/account/storage/storage-service.ts";
import { createSealSecrets } from "../state/shared/storage/seal-secrets.ts";
import { createSupabaseClient } from "../state/shared/storage/supabase-client.ts";
import { createTabMemory } from "../state/conversation/storage/tab-memory.ts";
import { createUnsavedTurns } from "../state/conversation/storage/unsaved-turns.ts";
import { createVersionRepository } from "../state/document/storage/version-repository.ts";
import { createWorkflowRepository } from "../state/document/storage/workflow-repository.ts";
import { browserStorage } from "./browser-storage.ts";

/** Everything from the outside, on one Supabase. */
export function createServices(config: SiteConfig): Services {
  const readAhead = createReadAhead();
  const supabase = createSupabaseClient(config, { fetch: readAhead.noticing((...args) => fetch(...args)) });
  const { database } = supabase;
  const seal = createSealSecrets(supabase);
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
  let pricesPart: Promise<Omit<PriceService, "address">> | undefined;
  // With the list of all models, which the first pages do without.
  const prices = () =>
    (pricesPart ??= import("../state/account/storage/model-prices.ts").then(({ createModelPrices }) =>
      createModelPrices(supabase, callFunction),
    ));
  const unsavedTurns = createUnsavedTurns({
    table: browserTable(() => globalThis.indexedDB, "switchyard-turns", "turns"),
    send: (write) => sendTurn({ database, functions }, write),
  });
  auth.onChange((account) => unsavedTurns.use(account?.id));
  const queries = queryVectors(200, Date.now);
  let ownQueries: Host["queryVectors"];
  auth.onChange((account) => (ownQueries = account ? queries.of(account.id) : undefined));
  window.addEventListener("online", () => void unsavedTurns.retry());
  beforeSignOut(unsavedTurns.retry);
  return {
    auth,
    databasePause: supabase.pause,
    stoppedFunctions,
    unsavedTurns,
    workflows,
    versions: createVersionRepository(supabase),
    publications: createPublicationRepository(supabase, seal),
    doors: createDoorRepository(supabase, seal),
    apiKeys: createApiKeys(supabase),
    sharedRuns: createSharedRuns(supabase),
    inbox: createInbox(supabase),
    allowedValues: createAllowedValues(supabase),
    activity: createActivity(supabase, seal),
    evaluations: createEvaluationRepository(supabase),
    runs: createRunRepository(supabase),
    serverRuns: createServerRuns(supabase),
    credentials: createCredentialRepository(supabase, { local: config.local }),
    memory: createMemoryRepository({ client: supabase, tab, callFunction }),
    knowledge: createKnowledgeRepository(database),
    webSources: createWebSources(database),
    retrievalQuality: createRetrievalQuality(database),
    gallery: { usual: config.gallery, ...createGallery(callFunction) },
    prices: {
      address: config.prices,
      take: async () => (await prices()).take(),
      check: async (address) => (await prices()).check(address),
      accept: async (models, source) => (await prices()).accept(models, source),
      drop: async () => (await prices()).drop(),
    },
    files: createFileService(functions),
    storage: createStorageService(supabase, config),
    showPdf: async (bytes) => (await import("../documents/pdf/show-pdf.ts")).showPdf(bytes),
    knowledgeSources: createKnowledgeSources(callFunction),
    builtInEmbeddings: config.embedded ? null : () => hasBuiltInEmbeddings(callFunction),
    scanLanguages: installedScans,
    readAhead: readAhead.begin,
    createHost: ({ approve, pause }) =>
      createBrowserHost({
        ...functions,
        database,
        tab,
        unsavedTurns,
        readAhead,
        queryVectors: ownQueries,
        workflows: createWorkflowLoader(workflows),
        approve,
        ...(pause ? { pause } : {}),
        newId,
      }),
  };
}
