import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { panelStore } from "../../stores/panel-store.ts";
import { testStart } from "./test-start.ts";
import type { RunControl } from "../../stores/run-control.ts";

/** Test: the chat opens with the cursor in its input, or the run starts and its steps are shown. */
export function runTest(
  { document, registry }: { document: WorkflowDocument; registry: NodeRegistry },
  execution: Pick<RunControl, "start">,
): void {
  const start = testStart(document, registry);
  if (start.kind === "chat") {
    panelStore.getState().focusChat();
    return;
  }
  execution.start(start.input);
  panelStore.getState().show("steps");
}
