import { useMemo } from "react";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { type ExposedPath, exposedPaths } from "../../engine/publish/door-exposure.ts";
import type { DoorKind } from "../../engine/trust/run-sources.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";

const callers: Record<DoorKind, string> = {
  chat: "Visitors of the chat page",
  hook: "Callers of the webhook",
  api: "Programs with an API key",
  mcp: "MCP clients",
};

/** Warns where callers of a door can get private data out of a version, and names the three nodes that let them. */
export function DoorExposure({ document, door }: { document: WorkflowDocument; door: DoorKind }) {
  const { registry } = useEditor();
  const paths = useMemo(() => exposedPaths(document, registry, door), [document, registry, door]);
  if (paths.length === 0) return null;
  return (
    <Notice tone="warning" title={`${callers[door]} could get private data out`}>
      {paths.map((path) => (
        <Path key={path.trigger.id} path={path} />
      ))}
    </Notice>
  );
}

function Path({ path: { trigger, privateData, wayOut } }: { path: ExposedPath }) {
  const name = (title: string) => <strong className="font-medium text-ink">“{title}”</strong>;
  return (
    <p>
      {name(trigger.title)} takes what they write, {name(privateData.title)} reads private data, and{" "}
      {name(wayOut.title)} can send it away without asking. Set the approval of {name(wayOut.title)} to ask, or put an
      Approval step before it.
    </p>
  );
}
