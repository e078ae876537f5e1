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
} from "../services/services.ts";
import { lazily } from "./lazily.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/* Repositories that no page needs before it shows. */

export function lazyRunRepository(client: SupabaseClient): RunRepository {
  return lazily(async () => (await import("./run-repository.ts")).createRunRepository(client));
}

export function lazyServerRuns(client: SupabaseClient): ServerRuns {
  return lazily(async () => (await import("./server-runs.ts")).createServerRuns(client));
}

export function lazyCredentialRepository(client: SupabaseClient): CredentialRepository {
  return lazily(async () => (await import("./credential-repository.ts")).createCredentialRepository(client));
}

export function lazyVersionRepository(client: SupabaseClient): VersionRepository {
  return lazily(async () => (await import("./version-repository.ts")).createVersionRepository(client));
}

export function lazyPublicationRepository(client: SupabaseClient): PublicationRepository {
  return lazily(async () => (await import("./publication-repository.ts")).createPublicationRepository(client));
}

export function lazyDoorRepository(client: SupabaseClient): DoorService {
  return lazily(async () => (await import("./door-repository.ts")).createDoorRepository(client));
}

export function lazyApiKeys(client: SupabaseClient): ApiKeyService {
  return lazily(async () => (await import("./api-keys.ts")).createApiKeys(client));
}

export function lazyInbox(client: SupabaseClient): InboxService {
  return lazily(async () => (await import("./inbox.ts")).createInbox(client));
}

export function lazyActivity(client: SupabaseClient): ActivityService {
  return lazily(async () => (await import("./activity.ts")).createActivity(client));
}

export function lazyStorageService(client: SupabaseClient): StorageService {
  return lazily(async () => (await import("./storage-service.ts")).createStorageService(client));
}

type MemoryParts = Parameters<typeof import("./memory-repository.ts").createMemoryRepository>[0];

export function lazyMemoryRepository(parts: MemoryParts): MemoryRepository {
  return lazily(async () => (await import("./memory-repository.ts")).createMemoryRepository(parts));
}

export function lazyEvaluations(client: SupabaseClient): EvaluationService {
  return lazily(async () => (await import("./evaluation-repository.ts")).createEvaluationRepository(client));
}
