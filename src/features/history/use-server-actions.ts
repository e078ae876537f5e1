import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { newId } from "../../state/shared/new-id.ts";
import type { ListedRun } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { showError } from "../../ui/feedback/toast.tsx";

/** Stops a run on the server, or starts one that takes over what a failed one had done; `onStarted` gets the new run's id. */
export function useServerActions(onStarted: (runId: string) => void) {
  const { runs, serverRuns } = useServices();
  const queries = useQueryClient();
  /** Of runs whose retry got no answer: the server may have begun it all the same, and does not begin it again for the same key. */
  const [keys] = useState(() => new Map<string, string>());
  const onSettled = () => queries.invalidateQueries({ queryKey: ["runs"] });
  const stop = useMutation({
    mutationFn: (run: ListedRun) => serverRuns.cancel(run.id),
    onError: (error) => showError(error),
    onSettled,
  });
  const retry = useDialogMutation({
    save: async (run: ListedRun) => {
      const { workflowId, server } = run;
      if (server === null) throw new Error("Only runs on the server can be retried.");
      const { input } = await runs.get(run.id);
      const key = keys.get(run.id) ?? newId();
      keys.set(run.id, key);
      const started = await serverRuns.start({
        workflowId,
        target: String(server.version),
        input,
        key,
        forkedFrom: { runId: run.id },
      });
      keys.delete(run.id);
      return started;
    },
    refresh: onSettled,
  });
  return {
    stop: (run: ListedRun) => stop.mutate(run),
    retry: (run: ListedRun) => retry.submit(run, { onDone: ({ id }) => onStarted(id) }),
  };
}
