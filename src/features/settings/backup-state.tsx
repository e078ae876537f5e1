import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";

const queryKey = ["studio-state"];

/** When the studio was last backed up, whether that failed since, and whether restored data still rest. */
export function BackupState() {
  const { storage } = useServices();
  const state = useQuery({ queryKey, queryFn: () => storage.studio() });
  const queries = useQueryClient();
  const resume = useMutation({
    mutationFn: () => storage.resume(),
    onSuccess: async () => {
      showToast("Published workflows go on.");
      await queries.invalidateQueries({ queryKey });
    },
    onError: (error) => showError(error),
  });
  if (state.isLoadingError) return <LoadFailure error={state.error} onRetry={() => void state.refetch()} />;
  if (!state.data) return null;
  const { paused, mayResume, backup } = state.data;
  const command = <code>npm run data -- backup &lt;folder&gt;</code>;
  return (
    <>
      {paused && (
        <Notice
          tone="warning"
          title="Restored from a backup"
          action={
            mayResume && (
              <Button busy={resume.isPending} onClick={() => resume.mutate()}>
                Resume
              </Button>
            )
          }
        >
          {mayResume ? (
            "Published workflows, schedules, APIs, webhooks and chat pages are paused. Look at the interrupted runs before they go on."
          ) : (
            <>
              Published workflows, schedules, APIs, webhooks and chat pages are paused until whoever runs this studio
              enters <code>npm run data -- resume</code>.
            </>
          )}
        </Notice>
      )}
      {backup?.failure && (
        <Notice tone="danger" title={`The backup of ${formatMoment(Date.parse(backup.failure.at))} failed`}>
          Whoever runs this studio finds the reason in its terminal.
        </Notice>
      )}
      <p className="text-muted">
        {backup?.createdAt
          ? `Last backup: ${formatMoment(Date.parse(backup.createdAt))}.`
          : "This studio has not been backed up yet."}{" "}
        {command} makes one while the studio runs.
      </p>
    </>
  );
}
