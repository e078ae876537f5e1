import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { ServiceError } from "../services/services.ts";
import { answerSubmitted } from "../ui/overlays/unsaved-changes.ts";

/** Only what may pass by itself is worth another try. */
function mayPass(error: Error): boolean {
  return !(error instanceof ServiceError) || error.kind === "offline" || error.kind === "server";
}

/**
 * A client by which an answer that was asked for before a change never counts after it. Of itself, TanStack Query lets the first
 * load of a query go on when it is invalidated meanwhile, and takes what it brings for fresh.
 */
class ChangeAwareClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    if (this.isFetching(filters) > 0) await this.cancelQueries({ ...filters, fetchStatus: "fetching" });
    return super.invalidateQueries(filters, options);
  }
}

/** The cache of what the server holds. */
export function createQueryClient(): QueryClient {
  return new ChangeAwareClient({
    mutationCache: new MutationCache({
      onSuccess: () => answerSubmitted(true),
      onError: () => answerSubmitted(false),
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (count, error) => count < 2 && mayPass(error),
        // The embedded server is reachable without any network, so the browser's word for "offline" says nothing.
        networkMode: "always",
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}
