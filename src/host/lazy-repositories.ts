import { loadOnce } from "../engine/load-once.ts";
import type {
  ActivityService,
  ApiKeyService,
  CredentialRepository,
  DoorService,
  EvaluationService,
  InboxService,
  MemoryRepository,
  PublicationRepository,
  RunRepository,
  ServerRuns,
  StorageService,
  VersionRepository,
} from "../stores/services.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/*
 * Repositories that no page needs before it shows: the code of each is loaded with the first call. A load that failed
 * rejects that call, and the next one tries again.
 */

export function lazyRunRepository(client: SupabaseClient): RunRepository {
  const load = loadOnce(async () => (await import("./run-repository.ts")).createRunRepository(client));
  return {
    start: async (...args) => (await load()).start(...args),
    appendEvents: async (...args) => (await load()).appendEvents(...args),
    finish: async (...args) => (await load()).finish(...args),
    get: async (...args) => (await load()).get(...args),
    list: async (...args) => (await load()).list(...args),
    page: async (...args) => (await load()).page(...args),
    events: async (...args) => (await load()).events(...args),
    document: async (...args) => (await load()).document(...args),
    remove: async (...args) => (await load()).remove(...args),
    removeAll: async (...args) => (await load()).removeAll(...args),
    retention: async () => (await load()).retention(),
    setRetention: async (...args) => (await load()).setRetention(...args),
    prune: async () => (await load()).prune(),
    costs: async (...args) => (await load()).costs(...args),
  };
}

export function lazyServerRuns(client: SupabaseClient): ServerRuns {
  const load = loadOnce(async () => (await import("./server-runs.ts")).createServerRuns(client));
  return {
    start: async (...args) => (await load()).start(...args),
    cancel: async (...args) => (await load()).cancel(...args),
    queue: async () => (await load()).queue(),
    reader: async (...args) => (await load()).reader(...args),
    watch: async (...args) => (await load()).watch(...args),
  };
}

export function lazyCredentialRepository(client: SupabaseClient): CredentialRepository {
  const load = loadOnce(async () => (await import("./credential-repository.ts")).createCredentialRepository(client));
  return {
    page: async (...args) => (await load()).page(...args),
    list: async () => (await load()).list(),
    find: async (...args) => (await load()).find(...args),
    uses: async (...args) => (await load()).uses(...args),
    save: async (...args) => (await load()).save(...args),
    rename: async (...args) => (await load()).rename(...args),
    test: async (...args) => (await load()).test(...args),
    startSignIn: async (...args) => (await load()).startSignIn(...args),
    finishSignIn: async (...args) => (await load()).finishSignIn(...args),
    remove: async (...args) => (await load()).remove(...args),
  };
}

export function lazyVersionRepository(client: SupabaseClient): VersionRepository {
  const load = loadOnce(async () => (await import("./version-repository.ts")).createVersionRepository(client));
  return {
    page: async (...args) => (await load()).page(...args),
    document: async (...args) => (await load()).document(...args),
    keep: async (...args) => (await load()).keep(...args),
    rename: async (...args) => (await load()).rename(...args),
    remove: async (...args) => (await load()).remove(...args),
  };
}

export function lazyPublicationRepository(client: SupabaseClient): PublicationRepository {
  const load = loadOnce(async () => (await import("./publication-repository.ts")).createPublicationRepository(client));
  return {
    find: async (...args) => (await load()).find(...args),
    versions: async (...args) => (await load()).versions(...args),
    document: async (...args) => (await load()).document(...args),
    freeSlug: async (...args) => (await load()).freeSlug(...args),
    publish: async (...args) => (await load()).publish(...args),
    point: async (...args) => (await load()).point(...args),
    setLimits: async (...args) => (await load()).setLimits(...args),
    failureTarget: async (...args) => (await load()).failureTarget(...args),
    setFailureTarget: async (...args) => (await load()).setFailureTarget(...args),
    setFailureSecret: async (...args) => (await load()).setFailureSecret(...args),
    schedules: async (...args) => (await load()).schedules(...args),
    switchSchedule: async (...args) => (await load()).switchSchedule(...args),
  };
}

export function lazyDoorRepository(client: SupabaseClient): DoorService {
  const load = loadOnce(async () => (await import("./door-repository.ts")).createDoorRepository(client));
  return {
    find: async (...args) => (await load()).find(...args),
    save: async (...args) => (await load()).save(...args),
    address: async (...args) => (await load()).address(...args),
    renewHookSecret: async (...args) => (await load()).renewHookSecret(...args),
    lastHookRequest: async (...args) => (await load()).lastHookRequest(...args),
  };
}

export function lazyApiKeys(client: SupabaseClient): ApiKeyService {
  const load = loadOnce(async () => (await import("./api-keys.ts")).createApiKeys(client));
  return {
    list: async () => (await load()).list(),
    make: async (...args) => (await load()).make(...args),
    revoke: async (...args) => (await load()).revoke(...args),
    slugs: async () => (await load()).slugs(),
  };
}

export function lazyInbox(client: SupabaseClient): InboxService {
  const load = loadOnce(async () => (await import("./inbox.ts")).createInbox(client));
  return {
    list: async (...args) => (await load()).list(...args),
    count: async () => (await load()).count(),
    decide: async (...args) => (await load()).decide(...args),
  };
}

export function lazyActivity(client: SupabaseClient): ActivityService {
  const load = loadOnce(async () => (await import("./activity.ts")).createActivity(client));
  return {
    overview: async (...args) => (await load()).overview(...args),
    of: async (...args) => (await load()).of(...args),
    failedRuns: async (...args) => (await load()).failedRuns(...args),
    feedback: async (...args) => (await load()).feedback(...args),
    collector: async (...args) => (await load()).collector(...args),
    saveCollector: async (...args) => (await load()).saveCollector(...args),
  };
}

export function lazyStorageService(client: SupabaseClient): StorageService {
  const load = loadOnce(async () => (await import("./storage-service.ts")).createStorageService(client));
  return {
    use: async () => (await load()).use(),
    purge: async () => (await load()).purge(),
  };
}

type MemoryParts = Parameters<typeof import("./memory-repository.ts").createMemoryRepository>[0];

export function lazyMemoryRepository(parts: MemoryParts): MemoryRepository {
  const load = loadOnce(async () => (await import("./memory-repository.ts")).createMemoryRepository(parts));
  return {
    messages: async (...args) => (await load()).messages(...args),
    conversations: async (...args) => (await load()).conversations(...args),
    entries: async (...args) => (await load()).entries(...args),
    append: async (...args) => (await load()).append(...args),
    titles: async (...args) => (await load()).titles(...args),
    retention: async () => (await load()).retention(),
    setRetention: async (...args) => (await load()).setRetention(...args),
    replace: async (...args) => (await load()).replace(...args),
    clear: async (...args) => (await load()).clear(...args),
  };
}

export function lazyEvaluations(client: SupabaseClient): EvaluationService {
  const load = loadOnce(async () => (await import("./evaluation-repository.ts")).createEvaluationRepository(client));
  return {
    list: async () => (await load()).list(),
    ofWorkflow: async (...args) => (await load()).ofWorkflow(...args),
    get: async (...args) => (await load()).get(...args),
    create: async (...args) => (await load()).create(...args),
    save: async (...args) => (await load()).save(...args),
    remove: async (...args) => (await load()).remove(...args),
    cases: async (...args) => (await load()).cases(...args),
    addCases: async (...args) => (await load()).addCases(...args),
    saveCase: async (...args) => (await load()).saveCase(...args),
    removeCase: async (...args) => (await load()).removeCase(...args),
    cassette: async (...args) => (await load()).cassette(...args),
    begin: async (...args) => (await load()).begin(...args),
    addTrial: async (...args) => (await load()).addTrial(...args),
    finish: async (...args) => (await load()).finish(...args),
    evaluations: async (...args) => (await load()).evaluations(...args),
    trials: async (...args) => (await load()).trials(...args),
  };
}
