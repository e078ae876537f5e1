import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiKeyDraft } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { showMadeSecret } from "../../ui/made-secret-store.ts";
import { showError, showToast } from "../../ui/toast.tsx";

const queryKey = ["api-keys"];

/** The keys of the account, the newest first. */
export function useApiKeys() {
  const { apiKeys } = useServices();
  return useQuery({ queryKey, queryFn: () => apiKeys.list() });
}

/** The addresses of what is published. */
export function usePublishedSlugs() {
  const { apiKeys } = useServices();
  return useQuery({ queryKey: ["published-slugs"], queryFn: () => apiKeys.slugs() });
}

/** Making and revoking keys. */
export function useKeyChanges() {
  const { apiKeys } = useServices();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey });
  const make = useMutation({
    mutationFn: (draft: ApiKeyDraft) => apiKeys.make(draft),
    onSuccess: (secret) => {
      showMadeSecret({
        name: "API key",
        secret,
        hint: "It is not shown again, and Switchyard keeps only its hash.",
      });
      void refresh();
    },
    onError: (error) => showError(error),
  });
  const revoke = useMutation({
    mutationFn: (id: string) => apiKeys.revoke(id),
    onSuccess: () => {
      void refresh();
      showToast("The API key is revoked");
    },
    onError: (error) => showError(error),
  });
  return { make, revoke };
}
