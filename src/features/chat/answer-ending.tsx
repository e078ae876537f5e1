import type { AgentEnding, EarlyFinish } from "../../engine/agent/ending.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { finishMessage } from "../../state/run/finish-message.ts";
import { showProblem } from "../../state/editor/show-node.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";

/** Why the answer stops here, and the way to the setting that decides it. */
export function AnswerEnding({ ending }: { ending: AgentEnding }) {
  const { canvas, readOnly } = useEditor();
  const { message, hint, setting } = ending;
  const canChange = useDocumentStore((state) => state.document.nodes[setting?.nodeId ?? ""] !== undefined);
  const action = setting && canChange && readOnly === undefined && (
    <Button size="sm" onClick={() => showProblem(canvas, setting)}>
      {setting.action}
    </Button>
  );
  // The button says what to do; without one the hint does.
  return (
    <Notice tone="warning" title={message} action={action}>
      {action ? undefined : hint}
    </Notice>
  );
}

/** That a remembered answer ended early. */
export function PastEnding({ finish }: { finish: EarlyFinish }) {
  return (
    <p className="flex items-center gap-1.5 text-xs text-muted">
      <span className="text-warning">
        <Icon name="flag" size={12} />
      </span>
      {finishMessage(finish)}
    </p>
  );
}
