import { triggersOf } from "../../../engine/document/triggers.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { hookDoorConfig, type HookDoorConfig } from "../../../engine/doors/hook-door.ts";
import { useEditor, useServices } from "../../../stores/editor-context.tsx";
import type { Publication } from "../../../services/services.ts";
import { showError, showToast } from "../../../ui/toast.tsx";

/** The webhook of a publication as it is stored. */
export interface HookDoor {
  enabled: boolean;
  config: HookDoorConfig;
  secrets: readonly string[];
  address: string;
}

/** The webhook of the open workflow, and what changes it. */
export function useHookDoor({ slug }: Publication) {
  const { workflowId } = useEditor();
  const { doors } = useServices();
  const queries = useQueryClient();
  const queryKey = ["door", workflowId, "hook", slug];
  const refresh = () => queries.invalidateQueries({ queryKey });
  const onError = (error: unknown) => showError(error);

  const door = useQuery({
    queryKey,
    queryFn: async (): Promise<HookDoor> => {
      const [stored, address] = await Promise.all([doors.find(workflowId, "hook"), doors.address(`/hooks/${slug}`)]);
      const config = hookDoorConfig.safeParse(stored?.config ?? {});
      return {
        enabled: stored?.enabled === true && config.success,
        config: config.success ? config.data : hookDoorConfig.parse({}),
        secrets: stored?.secrets ?? [],
        address,
      };
    },
  });

  const save = useMutation({
    mutationFn: (change: { enabled: boolean; config: HookDoorConfig; secrets?: Record<string, string | null> }) =>
      doors.save(workflowId, "hook", change),
    onSuccess: async () => {
      await refresh();
      showToast("Webhook saved");
    },
    onError,
  });

  const renew = useMutation({
    mutationFn: async ({ secret, keepPrevious }: { secret: string; keepPrevious: boolean }) => {
      const stored = door.data;
      // A secret belongs to settings that are stored.
      if (stored !== undefined && (await doors.find(workflowId, "hook")) === undefined)
        await doors.save(workflowId, "hook", { enabled: false, config: stored.config });
      await doors.renewHookSecret(workflowId, secret, { keepPrevious });
    },
    onSuccess: refresh,
    onError,
  });

  return { door, save, renew };
}

/** Whether the live version has a webhook trigger; undefined until that is known. */
export function useHasHookTrigger({ live }: Publication): boolean | undefined {
  const { workflowId, registry } = useEditor();
  const { publications } = useServices();
  const { data } = useQuery({
    queryKey: ["published-document", workflowId, live],
    queryFn: () => publications.document(workflowId, live ?? 0),
    enabled: live !== null,
    staleTime: Infinity,
  });
  if (live === null) return false;
  return data && triggersOf(data, registry, "request").length > 0;
}
