import { useState } from "react";
import { useDecisionCheck } from "../../state/evaluation/decision-checks.ts";
import { Button } from "../../ui/buttons/button.tsx";
import type { CheckedRun } from "./run-check.ts";
import { CheckDialog } from "./check-dialog.tsx";

/** “Check decisions”, with how far it is, and its dialog. Nothing where the run asked no model. */
export function CheckButton(props: CheckedRun) {
  const [open, setOpen] = useState(false);
  const check = useDecisionCheck(props.runId);
  if (!props.events.some(({ type }) => type === "model-response")) return null;
  const done = Object.values(check?.samples ?? {}).reduce((sum, samples) => sum + samples.length, 0);
  const running = check?.status === "running";
  return (
    <>
      <Button icon="repeat" onClick={() => setOpen(true)}>
        <span className="max-lg:sr-only">
          {running ? `Checking: ${done} of ${check.trials * check.calls.length}` : "Check decisions"}
        </span>
      </Button>
      {open && <CheckDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
