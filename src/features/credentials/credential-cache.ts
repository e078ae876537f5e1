import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useServices } from "../../services/services-context.tsx";
import { usePages } from "../../state/shared/use-pages.ts";
import { modelCredentialTypes } from "./model-credential-types.ts";

const listKey = ["credentials"];
const usesKey = ["credential-uses"];

/** The user's credentials by name; those that have every word of the search. */
export function useCredentials(search: string) {
  const { credentials } = useServices();
  return usePages([...listKey, "pages", search], (request) => credentials.page({ ...request, search }));
}

/** The stored credentials that lead to a model. */
export function useModelCredentials() {
  const { credentials } = useServices();
  return useQuery({
    queryKey: [...listKey, "of models"],
    queryFn: () => credentials.page({ limit: 100, types: modelCredentialTypes }),
  });
}

/** Which workflows use these credentials; read anew on every visit, since workflows change elsewhere. */
export function useCredentialUses(ids: readonly string[]) {
  const { credentials } = useServices();
  return useQuery({
    queryKey: [...usesKey, ...ids],
    queryFn: () => credentials.uses(ids),
    enabled: ids.length > 0,
    placeholderData: (before) => before,
    staleTime: 0,
  });
}

/** Lets every list and picker read the credentials again. */
export function useCredentialCache() {
  const queries = useQueryClient();
  return { refresh: () => queries.invalidateQueries({ queryKey: listKey }) };
}
