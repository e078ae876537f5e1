import { useQuery } from "@tanstack/react-query";
import { useServices } from "../../../stores/services-context.tsx";

/** What of the account an imported workflow may name. What cannot be listed counts as not there. */
export function useOwnThings() {
  const { credentials, workflows, knowledge } = useServices();
  return useQuery({
    queryKey: ["own-things"],
    queryFn: async () => {
      const [own, stored, collections] = await Promise.all([
        credentials.list().catch(() => []),
        workflows.list().catch(() => []),
        knowledge.collections().catch(() => []),
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
