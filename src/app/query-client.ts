import { QueryClient } from "@tanstack/react-query";
import { ServiceError } from "../services/services.ts";

/** Only what may pass by itself is worth another try. */
function mayPass(error: Error): boolean {
  return !(error instanceof ServiceError) || error.kind === "offline" || error.kind === "server";
}

/** The cache of what the server holds. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
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
