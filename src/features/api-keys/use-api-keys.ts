import { useQuery, useQueryClient } from "@tanstack/react-query";
import { nodeRegistry } from "../../nodes/index.ts";
import { type ApiKeyDraft, limitsMoney, type PublicationRepository, ServiceError } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { uncountedModels } from "../../state/publication/uncounted-models.ts";
import { showMadeSecret } from "../../ui/overlays/made-secret-store.ts";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { showToast } from "../../ui/feedback/toast.tsx";

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
  const { apiKeys, publications } = useServices();
  const queries = useQueryClient();
  const refresh = () => void queries.invalidateQueries({ queryKey });
  const make = useDialogMutation({
    save: async (draft: ApiKeyDraft) => {
      if (limitsMoney(draft.limits)) await refuseUncounted(publications, draft.scopes);
      return apiKeys.make(draft);
    },
    onSaved: (secret) =>
      showMadeSecret({
        name: "API key",
        secret,
        hint: "It is not shown again, and Switchyard keeps only its hash.",
      }),
    refresh,
  });
  const revoke = useDialogMutation({
    save: (id: string) => apiKeys.revoke(id),
    onSaved: () => showToast("The API key is revoked"),
    refresh,
  });
  return { make, revoke };
}

/** A limit in dollars holds only where the prices of all models are known. Throws a ServiceError. */
async function refuseUncounted(publications: PublicationRepository, scopes: readonly string[]): Promise<void> {
  const slugs = scopes.includes("run:*") ? null : scopes.flatMap((scope) => /^run:(.+)$/.exec(scope)?.slice(1) ?? []);
  const [first] = await uncountedModels(publications, nodeRegistry, slugs);
  if (first === undefined) return;
  throw new ServiceError(
    "invalid",
    `“${first.slug}” uses ${first.models.join(", ")}, whose price is not known, so the key's limit in dollars could not hold.`,
    "Enter the price on the node that uses the model (0 for a server of your own) and publish it again, or leave the limit empty.",
  );
}
