import { commandById } from "../../state/commands/editor-commands.ts";
import { shownKey } from "../../state/commands/command.ts";
import { useBreakpointStore, useEditor, usePauseStore, useRunStore } from "../../state/editor/editor-context.tsx";
import type { RunControl } from "../../state/run/run-control.ts";
import { currentRun } from "../../state/run/run-store.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Menu, type MenuItem } from "../../ui/overlays/menu.tsx";
import { Tooltip } from "../../ui/overlays/tooltip.tsx";
import { runTest } from "./run-test.ts";

/** What else a run can be: the same again, and where it is to be held. */
function RunOptions({ running }: { running: boolean }) {
  const { commands, context } = useEditor();
  const breakpoints = useBreakpointStore((state) => state);
  const hasRun = useRunStore((state) => currentRun(state)?.input !== undefined);
  const item = (id: string, change: { label?: string; checked?: boolean; disabled?: boolean }): MenuItem[] => {
    const command = commandById(commands, id);
    if (command === undefined) return [];
    const { label = command.label, ...rest } = change;
    return [{ label, shortcut: shownKey(command), ...rest, onSelect: () => void command.run(context) }];
  };
  const count = breakpoints.nodes.length;
  const items: MenuItem[] = [
    ...item("run.again", { disabled: running || !hasRun }),
    ...item("run.on-server", { label: "Run on server…" }),
    { heading: "Pause" },
    ...item("run.pause-tools", { label: "Before tool calls", checked: breakpoints.beforeToolCalls }),
    ...item("run.pause-models", { label: "Before model calls", checked: breakpoints.beforeModelCalls }),
    ...item("run.clear-breakpoints", {
      label:
        count === 0 ? "No breakpoints on nodes" : `Remove ${count === 1 ? "1 breakpoint" : `${count} breakpoints`}`,
      disabled: count === 0,
    }),
  ];
  const holds = breakpoints.beforeToolCalls || breakpoints.beforeModelCalls || count > 0;
  return (
    <Menu
      trigger={
        <IconButton
          icon={holds ? "circle-dot" : "chevron-down"}
          label={holds ? "Run options: the run will pause" : "Run options"}
          className={holds ? "text-danger!" : undefined}
        />
      }
      items={items}
    />
  );
}

/** Going on from where the run is held. */
function HeldControls() {
  const { commands, context } = useEditor();
  const held = usePauseStore((state) => state.pending.length > 0);
  if (!held) return null;
  const press = (id: string) => () => void commandById(commands, id)?.run(context);
  return (
    // On a phone the card of the held place has these buttons.
    <div className="flex items-center gap-1 max-sm:hidden">
      <Tooltip content="Continue the paused run" shortcut="f8">
        <Button variant="primary" icon="play" onClick={press("run.continue")}>
          Continue
        </Button>
      </Tooltip>
      <IconButton icon="step-forward" label="Step" shortcut="f10" variant="secondary" onClick={press("run.step")} />
    </div>
  );
}

/** Test and Stop of the top bar: one place, so that the pointer is already where the next click goes. */
export function RunControls({ execution }: { execution: RunControl }) {
  const editor = useEditor();
  return (
    <>
      {execution.running && <HeldControls />}
      {execution.running ? (
        <Tooltip content="Stop the run" shortcut="mod+.">
          <Button icon="square" onClick={execution.stop}>
            Stop
          </Button>
        </Tooltip>
      ) : (
        <Tooltip content="Run this workflow" shortcut="mod+enter">
          <Button
            variant="primary"
            icon="play"
            onClick={() =>
              runTest({ document: editor.document.getState().document, registry: editor.registry }, execution)
            }
          >
            Test
          </Button>
        </Tooltip>
      )}
      <RunOptions running={execution.running} />
    </>
  );
}
