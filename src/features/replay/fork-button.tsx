import { useState } from "react";
import { useSearchParams } from "wouter";
import { useRunStore } from "../../state/editor/editor-context.tsx";
import type { RunControl } from "../../state/run/run-control.ts";
import { currentRun } from "../../state/run/run-store.ts";
import type { CallStep } from "../../state/run/step-actions.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import ForkDialog from "./fork-dialog.tsx";

/** In the page's address: the call whose dialog is to be open at once. */
const asked = "fork";

/** Runs on from a recorded call with something changed. A call inside another run's tool call belongs to that run. */
export function ForkButton({
  step,
  control,
}: {
  step: CallStep;
  control: Pick<RunControl, "start" | "blocked" | "running">;
}) {
  const [search, setSearch] = useSearchParams();
  const [open, setOpen] = useState(() => search.get(asked) === step.id);
  const live = useRunStore((state) => currentRun(state)?.status === "running" && state.heldAt === null);
  if (live || control.running) return null;
  const close = () => {
    setOpen(false);
    // Or a reload would open it again.
    if (search.has(asked)) setSearch((before) => without(before, asked), { replace: true });
  };
  return (
    <>
      <Button size="sm" icon="git-fork" onClick={() => setOpen(true)}>
        Fork from here
      </Button>
      {open && <ForkDialog step={step} control={control} onClose={close} />}
    </>
  );
}

function without(search: URLSearchParams, name: string): URLSearchParams {
  const left = new URLSearchParams(search);
  left.delete(name);
  return left;
}
