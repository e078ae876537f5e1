import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { SharedRun } from "../../engine/run/share/shared-run.ts";
import { useServices } from "../../services/services-context.tsx";
import { showToast } from "../../ui/feedback/toast.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";

const keyOf = (runId: string) => ["run-shares", runId];

/** The links to a run that hold, the newest first. */
export function useRunShares(runId: string) {
  const { sharedRuns } = useServices();
  return useQuery({ queryKey: keyOf(runId), queryFn: () => sharedRuns.list(runId) });
}

/** Making and revoking links, and making a file. */
export function useShareChanges(runId: string) {
  const { sharedRuns } = useServices();
  const queries = useQueryClient();
  const refresh = () => void queries.invalidateQueries({ queryKey: keyOf(runId) });
  const share = useDialogMutation({ save: (shared: SharedRun) => sharedRuns.share(runId, shared), refresh });
  const save = useDialogMutation({ save: (shared: SharedRun) => sharedRuns.asFile(shared) });
  const revoke = useDialogMutation({
    save: (id: string) => sharedRuns.revoke(id),
    onSaved: () => showToast("The link no longer works"),
    refresh,
  });
  return { share, save, revoke };
}
