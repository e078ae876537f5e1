import { useLocation } from "wouter";
import { useRunStore } from "../../state/editor/editor-context.tsx";
import { currentRun } from "../../state/run/run-store.ts";
import type { CallStep } from "../../state/run/step-actions.tsx";
import { Button } from "../../ui/buttons/button.tsx";

/** Leads from a call of a stored run to the page where the run is gone through, with the dialog that forks it there open. */
export function ReplayLink({ step }: { step: CallStep }) {
  const [, navigate] = useLocation();
  const runId = useRunStore((state) => {
    const run = currentRun(state);
    const saving = run && state.saving[run.runId];
    const stored = saving === undefined || saving.status === "saved";
    return run === undefined || run.status === "running" || !stored ? null : run.runId;
  });
  if (runId === null) return null;
  return (
    <Button
      size="sm"
      icon="git-fork"
      className="mt-2 self-start"
      onClick={() => navigate(`/runs/${runId}?${new URLSearchParams({ call: step.id, fork: step.id })}`)}
    >
      Fork from here
    </Button>
  );
}
