import { nobodyApproves } from "../../engine/host.ts";
import { useQuery } from "@tanstack/react-query";
import type { ProviderDefinition } from "../../engine/model/provider.ts";
import { useEditor } from "../editor/editor-context.tsx";
import { useServices } from "../../services/services-context.tsx";
import { keepModelList, keptModelList } from "./kept-model-lists.ts";

/** Milliseconds for which a fetched list is taken as it is. */
const listFreshFor = 24 * 60 * 60_000;

/**
 * The vendor's own list of models, fetched with a credential and kept for a day, also across reloads. A credential whose
 * secret was replaced may belong to another account or server, so its list is fetched anew.
 */
export function useModelList(provider: ProviderDefinition | undefined, credential: string, nodeId: string) {
  const { workflowId } = useEditor();
  const services = useServices();
  const needsKey = (provider?.credentialTypes.length ?? 0) > 0;
  const stored = useQuery({
    queryKey: ["credentials", "one", credential],
    queryFn: async () => (await services.credentials.find(credential)) ?? null,
    enabled: needsKey && credential !== "",
  });
  const version = stored.data?.updatedAt ?? "";
  const name = [provider?.id, credential, version].join(" ");
  const kept = needsKey ? keptModelList(name) : undefined;
  const canList = provider !== undefined && (!needsKey || credential !== "");
  const list = useQuery({
    queryKey: ["models", name],
    enabled: canList && (!needsKey || !stored.isPending),
    staleTime: listFreshFor,
    gcTime: listFreshFor,
    retry: false,
    initialData: kept?.models,
    initialDataUpdatedAt: kept?.at,
    queryFn: async ({ signal }) => {
      const host = services.createHost({ workflowId, approve: nobodyApproves });
      const models = (await provider?.listModels({ host, credential, nodeId }, signal)) ?? [];
      if (needsKey) keepModelList(name, { at: Date.now(), models });
      return models;
    },
  });
  return { ...list, canList, needsKey };
}
