import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { nobodyApproves } from "../../engine/host.ts";
import type { EmbeddingProviderDefinition } from "../../engine/model/provider.ts";
import { useServices } from "../../services/services-context.tsx";
import type { ListEmbeddings } from "./embedding-choices.ts";

/** How the embedding models of a server are listed, each once a minute. */
export function useListEmbeddings(): ListEmbeddings {
  const { createHost } = useServices();
  const queries = useQueryClient();
  return useCallback(
    (provider, credential) =>
      queries.fetchQuery({
        queryKey: keyOf(provider.id, credential),
        queryFn: ({ signal }) => {
          const host = createHost({ workflowId: "knowledge", approve: nobodyApproves });
          return provider.embeddings.listModels?.({ host, credential, nodeId: "" }, signal) ?? [];
        },
        staleTime: 60_000,
        retry: false,
      }),
    [createHost, queries],
  );
}

/** The embedding models that a provider offers, and what is known of where they come from. */
export function useListedEmbeddings(provider: EmbeddingProviderDefinition | undefined, credential: string) {
  const list = useListEmbeddings();
  const isLive = provider?.embeddings.listModels !== undefined;
  const listed = useQuery({
    queryKey: [...keyOf(provider?.id, credential), "shown"],
    queryFn: () => (provider ? list(provider, credential) : []),
    enabled: isLive && credential !== "",
    retry: false,
  });
  if (!isLive) return { models: provider?.embeddings.suggestedModels ?? [] };
  return { models: listed.data ?? [], note: noteOf(listed) };
}

function noteOf({
  data,
  isError,
  isFetching,
}: {
  data?: readonly string[] | undefined;
  isError: boolean;
  isFetching: boolean;
}) {
  if (isFetching) return "Asking the server for its models…";
  if (isError) return "The server's models could not be listed. Type the name of one that it has.";
  if (data?.length === 0) return "The server lists no embedding model. Add one to it, or choose keyword only.";
  return undefined;
}

/** Keeps what a server has listed already, so that it is not asked again at once. */
export function useKeepListed() {
  const queries = useQueryClient();
  return (provider: string, credential: string, models: readonly string[]) => {
    queries.setQueryData(keyOf(provider, credential), models);
  };
}

const keyOf = (provider: string | undefined, credential: string) => ["embedding-models", provider, credential];
