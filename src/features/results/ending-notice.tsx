import type { AgentEnding } from "../../engine/agent/ending.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { showProblem } from "../../state/editor/show-node.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";

/** Why an agent stopped early, what to do, and the way to the setting that decides it. */
export function EndingNotice({ ending }: { ending: AgentEnding }) {
  const { canvas, readOnly } = useEditor();
  const { message, hint, setting } = ending;
  const canChange = useDocumentStore((state) => state.document.nodes[setting?.nodeId ?? ""] !== undefined);
  return (
    <Notice
      tone="warning"
      title={message}
      action={
        setting &&
        canChange &&
        readOnly === undefined && (
          <Button size="sm" onClick={() => showProblem(canvas, setting)}>
            {setting.action}
          </Button>
        )
      }
    >
      {hint}
    </Notice>
  );
}
