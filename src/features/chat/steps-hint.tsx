import { useRunStore } from "../../stores/editor-context.tsx";
import { usePanelStore } from "../../stores/panel-store.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";

/** After the first run that ended: where every call of it can be read. Once in this browser; a phone has the steps beside it. */
export function StepsHint() {
  const known = usePanelStore((state) => state.stepsKnown);
  const show = usePanelStore((state) => state.show);
  const knowSteps = usePanelStore((state) => state.knowSteps);
  const ended = useRunStore(({ started, runs }) => started.some((id) => runs[id]?.status === "completed"));
  if (known || !ended) return null;
  return (
    <p className="flex items-center justify-center gap-3 border-t px-3 py-1.5 text-xs text-muted max-sm:hidden">
      <span>Every call of this run is under Steps: what was sent, and what came back.</span>
      <Button size="sm" onClick={() => show("steps")}>
        See what was sent
      </Button>
      <IconButton size="sm" icon="x" label="Do not show this again" onClick={knowSteps} />
    </p>
  );
}
