import { queryOptions, useQuery } from "@tanstack/react-query";
import { useServices } from "../../../services/services-context.tsx";
import type { Services } from "../../../services/services.ts";

/**
 * What of the account an imported workflow may name. Fails when any of it cannot be listed: what is there would be called
 * missing, and its credentials taken out of the workflow.
 */
export function ownThingsQuery({ credentials, workflows, knowledge }: Services) {
  return queryOptions({
    queryKey: ["own-things"],
    queryFn: async () => {
      const [own, stored, collections] = await Promise.all([
        credentials.list(),
        workflows.list(),
        knowledge.collections(),
      ]);
      return {
        credentialList: own,
        names: stored.map(({ name }) => name),
        own: {
          credentials: new Set(own.map(({ id }) => id)),
          workflows: new Set(stored.map(({ id }) => id)),
          collections: new Set(collections.map(({ id }) => id)),
        },
      };
    },
    staleTime: 0,
  });
}

export function useOwnThings() {
  return useQuery(ownThingsQuery(useServices()));
}
