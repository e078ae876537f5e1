import { useStore } from "zustand";
import type { RunControl } from "../../state/run/run-control.ts";
import { nodeRunRequests } from "./node-run-request.ts";
import NodeRunDialog from "./node-run-dialog.tsx";

/** The question with which input a node should run, while there is one. */
export function NodeRuns({ control }: { control: Pick<RunControl, "start" | "blocked"> }) {
  const { request } = useStore(nodeRunRequests);
  if (request === null) return null;
  return (
    <NodeRunDialog
      key={`${request.nodeId} ${request.until}`}
      request={request}
      control={control}
      onClose={() => nodeRunRequests.setState({ request: null })}
    />
  );
}
