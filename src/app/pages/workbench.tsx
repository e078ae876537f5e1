import { CredentialDialog } from "../../features/credentials/credential-dialog.tsx";
import { Inspector as NodeInspector } from "../../features/inspector/inspector.tsx";
import { InspectorSlotsProvider } from "../../features/inspector/inspector-slots.tsx";
import { NodeActions } from "./node-actions.tsx";

export { OutlinePanel } from "../../features/outline/outline-panel.tsx";
export { Palette } from "../../features/palette/palette.tsx";
export { NodeRuns } from "../../features/run/node-runs.tsx";
export { RunDrawer, RunPane } from "./run-panes.tsx";

const slots = { CredentialDialog, NodeActions };

/** The settings of the selected node. */
export function Inspector() {
  return (
    <InspectorSlotsProvider slots={slots}>
      <NodeInspector />
    </InspectorSlotsProvider>
  );
}
