import { lazy, Suspense, useState } from "react";
import { useRunStore } from "../../stores/editor-context.tsx";
import type { RunControl } from "../../stores/run-control.ts";
import { currentRun } from "../../stores/run-store.ts";
import type { CallStep } from "../../stores/step-actions.tsx";
import { Button } from "../../ui/button.tsx";

const ForkDialog = lazy(() => import("./fork-dialog.tsx"));

/** Runs on from a recorded call with something changed. A call inside another run's tool call belongs to that run. */
export function ForkButton({ step, control }: { step: CallStep; control: Pick<RunControl, "start" | "running"> }) {
  const [open, setOpen] = useState(false);
  const live = useRunStore((state) => currentRun(state)?.status === "running" && state.heldAt === null);
  if (live || control.running) return null;
  return (
    <>
      <Button size="sm" icon="git-fork" className="mt-2 self-start" onClick={() => setOpen(true)}>
        Fork from here
      </Button>
      {open && (
        <Suspense fallback={null}>
          <ForkDialog step={step} control={control} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
