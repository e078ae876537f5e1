import { useEditor } from "../../stores/editor-context.tsx";
import { Button } from "../../ui/button.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { runTest } from "./run-test.ts";
import type { RunControl } from "../../stores/run-control.ts";

/** Test and Stop of the top bar: one place, so that the pointer is already where the next click goes. */
export function RunControls({ execution }: { execution: RunControl }) {
  const editor = useEditor();
  if (execution.running) {
    return (
      <Tooltip content="Stop the run" shortcut="mod+.">
        <Button icon="square" onClick={execution.stop}>
          Stop
        </Button>
      </Tooltip>
    );
  }
  return (
    <Tooltip content="Run this workflow" shortcut="mod+enter">
      <Button variant="primary" icon="play" onClick={() => runTest(editor.document.getState().document, execution)}>
        Test
      </Button>
    </Tooltip>
  );
}
