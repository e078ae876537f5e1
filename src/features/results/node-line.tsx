import type { NodeRunState, RunStatus } from "../../engine/run/run-state.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { nodeTime } from "./node-detail.tsx";
import { StateMark } from "./state-mark.tsx";
import { nodeState } from "./step-look.ts";

/** The line of a node of the main flow. */
export function NodeLine(props: { nodeId: string; node: NodeRunState; runStatus: RunStatus }) {
  const { nodeId, node, runStatus } = props;
  const { registry } = useEditor();
  const record = useDocumentStore((state) => state.document.nodes[nodeId]);
  const skipped = node.status === "skipped";
  return (
    <>
      <span className="text-muted">
        <Icon name={registry[record?.type ?? ""]?.icon ?? "box"} size={14} />
      </span>
      <span className={skipped ? "truncate text-muted" : "max-w-[60%] shrink-0 truncate font-medium"}>
        {record?.title ?? nodeId}
      </span>
      <span className="min-w-0 flex-1 truncate text-xs text-muted">
        {skipped ? "skipped" : (node.error ?? node.retry?.error)?.message}
      </span>
      <span className="text-xs text-muted numeric">{nodeTime(node)}</span>
      <StateMark state={nodeState(node, runStatus)} />
    </>
  );
}
