import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { hookDoorConfig, type HookDoorConfig } from "../../../doors/hook-door.ts";
import { useEditor, useServices } from "../../../state/editor/editor-context.tsx";
import type { StoredDoor } from "../../../services/doors.ts";
import type { Publication } from "../../../services/services.ts";
import { showMadeSecret } from "../../../ui/overlays/made-secret-store.ts";
import { useDialogMutation } from "../../../ui/overlays/use-dialog-mutation.ts";
import { showError, showToast } from "../../../ui/feedback/toast.tsx";

/** The webhook of a publication as it is stored. */
export interface HookDoor {
  enabled: boolean;
  config: HookDoorConfig;
  secrets: readonly string[];
  address: string;
  knownDeliveries: StoredDoor["knownDeliveries"];
}

interface HookDoorChange {
  enabled: boolean;
  config: HookDoorConfig;
  secrets?: Record<string, string | null>;
}

interface HookSecretChange {
  secret: string;
  keepPrevious: boolean;
  /** What a secret is called that was made here and is to be shown; absent for one that was entered. */
  madeAs?: string;
}

/** The webhook of the open workflow, and what changes it. */
export function useHookDoor({ slug }: Publication) {
  const { workflowId } = useEditor();
  const { doors } = useServices();
  const queries = useQueryClient();
  const queryKey = ["door", workflowId, "hook", slug];
  const refresh = () => queries.invalidateQueries({ queryKey: ["door", workflowId] });
  const onError = (error: unknown) => showError(error);

  const door = useQuery({
    queryKey,
    queryFn: async (): Promise<HookDoor> => {
      const [stored, address] = await Promise.all([doors.find(workflowId, "hook"), doors.address(`/hooks/${slug}`)]);
      const config = hookDoorConfig.safeParse(stored?.config ?? { keepFiles: true });
      return {
        enabled: stored?.enabled === true && config.success,
        config: config.success ? config.data : hookDoorConfig.parse({}),
        secrets: stored?.secrets ?? [],
        address,
        knownDeliveries: stored?.knownDeliveries,
      };
    },
  });

  const save = useMutation({
    mutationFn: (change: HookDoorChange) => doors.save(workflowId, "hook", change),
    onSuccess: async () => {
      await refresh();
      showToast("Webhook saved");
    },
    onError,
  });

  const renew = useDialogMutation({
    save: async ({ secret, keepPrevious }: HookSecretChange) => {
      const stored = door.data;
      // A secret belongs to settings that are stored.
      if (stored !== undefined && (await doors.find(workflowId, "hook")) === undefined)
        await doors.save(workflowId, "hook", { enabled: false, config: stored.config });
      await doors.renewHookSecret(workflowId, secret, { keepPrevious });
    },
    onSaved: (_done, { secret, madeAs }) => {
      if (madeAs !== undefined) showMadeSecret({ name: madeAs, secret });
    },
    refresh,
  });

  const makeVerifyToken = useMutation({
    mutationFn: ({ stored: { enabled, config }, token }: { stored: HookDoor; token: string }) =>
      doors.save(workflowId, "hook", { enabled, config, secrets: { verify: token } }),
    onSuccess: async (_done, { token }) => {
      showMadeSecret({ name: "Verify token", secret: token });
      await refresh();
    },
    onError,
  });

  return { door, save, renew, makeVerifyToken };
}
