import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { ownInput, triggersOf } from "../../engine/document/triggers.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { assistantStore } from "../../state/assistant/assistant-store.ts";
import { isOnePane } from "../../state/editor/one-pane.ts";
import { panelStore } from "../../state/editor/panel-store.ts";
import type { RunControl } from "../../state/run/run-control.ts";

/**
 * Test: the chat opens with the cursor in its input, or the run starts and its steps are shown. A chat goes first where there are
 * two triggers; a workflow without one runs, and is told what it lacks.
 */
export function runTest(
  { document, registry }: { document: WorkflowDocument; registry: NodeRegistry },
  execution: Pick<RunControl, "start">,
): void {
  // There the assistant would cover what is tested.
  if (isOnePane()) assistantStore.getState().close();
  if (triggersOf(document, registry, "message").length > 0) {
    panelStore.getState().focusChat();
    return;
  }
  execution.start(ownInput(document, registry));
  panelStore.getState().show("steps");
}
