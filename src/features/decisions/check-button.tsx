import { Suspense, useMemo, useState } from "react";
import { checkableCalls } from "../../engine/evaluation/steps/checkable-calls.ts";
import { useDecisionCheck } from "../../stores/evaluation/decision-checks.ts";
import { Button } from "../../ui/button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import type { CheckedRun } from "./run-check.ts";

const CheckDialog = lazyPart(async () => (await import("./check-dialog.tsx")).CheckDialog);

/** “Check decisions”, with how far it is, and its dialog. Nothing where the run asked no model. */
export function CheckButton(props: CheckedRun) {
  const [open, setOpen] = useState(false);
  const calls = useMemo(() => checkableCalls(props.events), [props.events]);
  const check = useDecisionCheck(props.runId);
  if (calls.length === 0) return null;
  const done = Object.values(check?.samples ?? {}).reduce((sum, samples) => sum + samples.length, 0);
  const running = check?.status === "running";
  return (
    <>
      <Button icon="repeat" onClick={() => setOpen(true)}>
        <span className="max-lg:sr-only">
          {running ? `Checking: ${done} of ${check.trials * calls.length}` : "Check decisions"}
        </span>
      </Button>
      {open && (
        <Suspense fallback={null}>
          <CheckDialog {...props} calls={calls} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
