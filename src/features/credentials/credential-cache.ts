import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useServices } from "../../stores/services-context.tsx";

const listKey = ["credentials"];
const usesKey = ["credential-uses"];

/** The user's credentials, as every list and picker reads them. */
export function useCredentials() {
  const { credentials } = useServices();
  return useQuery({ queryKey: listKey, queryFn: () => credentials.list() });
}

/** Which workflows use which credentials; read anew on every visit, since workflows change elsewhere. */
export function useCredentialUses() {
  const { credentials } = useServices();
  return useQuery({ queryKey: usesKey, queryFn: () => credentials.uses(), staleTime: 0 });
}

/** Lets every list and picker read the credentials again. */
export function useCredentialCache() {
  const queries = useQueryClient();
  return { refresh: () => queries.invalidateQueries({ queryKey: listKey }) };
}
