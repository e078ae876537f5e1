import type { Host } from "../engine/host.ts";
import type { MemoryStore } from "../engine/in-memory/memory-store.ts";
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
  WorkflowRepository,
} from "../services/services.ts";
import { type Answering, lazily } from "./lazily.ts";
import type { LazySupabase } from "./lazy-supabase.ts";
import { thrownFailure } from "./service-failure.ts";
import type { SupabaseClient } from "./supabase-client.ts";
import { createWorkflowReads, plainWorkflowRequests } from "./workflow-reads.ts";

type OpenClient = () => Promise<SupabaseClient>;

/* Repositories, their code loaded with the first call. */

/** One that is made once both its code and the client are there; without a connection its calls are refused as offline. */
function repository<Service extends Answering<Service>>(
  open: OpenClient,
  load: () => Promise<(client: SupabaseClient) => Service>,
  atOnce: Partial<Service> = {},
): Service {
  return lazily(async () => {
    const [create, client] = await Promise.all([load(), open()]).catch((error: unknown) => {
      throw thrownFailure("load this part of Switchyard", error);
    });
    return create(client);
  }, atOnce);
}

/** What a page shows first is there at once. */
export function lazyWorkflowRepository({
  client,
  sendToDatabase,
}: Pick<LazySupabase, "client" | "sendToDatabase">): WorkflowRepository {
  const reads = createWorkflowReads(plainWorkflowRequests(sendToDatabase));
  return repository(client, async () => (await import("./workflow-repository.ts")).createWorkflowRepository, reads);
}

export function lazyRunRepository(client: OpenClient): RunRepository {
  return repository(client, async () => (await import("./run-repository.ts")).createRunRepository);
}

export function lazyServerRuns(client: OpenClient): ServerRuns {
  return repository(client, async () => (await import("./server-runs.ts")).createServerRuns);
}

export function lazyCredentialRepository(client: OpenClient): CredentialRepository {
  return repository(client, async () => (await import("./credential-repository.ts")).createCredentialRepository);
}

export function lazyVersionRepository(client: OpenClient): VersionRepository {
  return repository(client, async () => (await import("./version-repository.ts")).createVersionRepository);
}

export function lazyPublicationRepository(client: OpenClient): PublicationRepository {
  return repository(client, async () => (await import("./publication-repository.ts")).createPublicationRepository);
}

export function lazyDoorRepository(client: OpenClient): DoorService {
  return repository(client, async () => (await import("./door-repository.ts")).createDoorRepository);
}

export function lazyApiKeys(client: OpenClient): ApiKeyService {
  return repository(client, async () => (await import("./api-keys.ts")).createApiKeys);
}

export function lazyInbox(client: OpenClient): InboxService {
  return repository(client, async () => (await import("./inbox.ts")).createInbox);
}

export function lazyActivity(client: OpenClient): ActivityService {
  return repository(client, async () => (await import("./activity.ts")).createActivity);
}

export function lazyStorageService(client: OpenClient): StorageService {
  return repository(client, async () => (await import("./storage-service.ts")).createStorageService);
}

export function lazyEvaluations(client: OpenClient): EvaluationService {
  return repository(client, async () => (await import("./evaluation-repository.ts")).createEvaluationRepository);
}

interface MemoryParts {
  tab(): Promise<MemoryStore>;
  callFunction(): Promise<Host["callFunction"]>;
}

export function lazyMemoryRepository(client: OpenClient, parts: MemoryParts): MemoryRepository {
  return repository(client, async () => {
    const [{ createMemoryRepository }, tab, callFunction] = await Promise.all([
      import("./memory-repository.ts"),
      parts.tab(),
      parts.callFunction(),
    ]);
    return (client) => createMemoryRepository({ client, tab, callFunction });
  });
}
