import { useMemo } from "react";
import { useStore } from "zustand";
import { answerText } from "../../evaluation/run/view-of-run.ts";
import { useDocumentStore, useEditor } from "../../stores/editor-context.tsx";
import { currentRun, type RunStore } from "../../stores/run-store.ts";
import { showNode } from "../../stores/show-node.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { giveWay } from "../../stores/assistant/assistant-store.ts";
import { nodesIn } from "../../stores/assistant/nodes-in.ts";

/** Ways to the nodes of the open workflow that the assistant's last answer names. `runs` are those of the assistant. */
export function MentionedNodes({ runs }: { runs: RunStore }) {
  const { canvas } = useEditor();
  const nodes = useDocumentStore((state) => state.document.nodes);
  const run = useStore(runs, currentRun);
  const answer = run?.status === "completed" ? answerText(run.output ?? null) : "";
  const named = useMemo(() => nodesIn(answer, Object.values(nodes)), [answer, nodes]);
  if (named.length === 0) return null;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1 border-t px-3 py-1.5">
      <span className="text-xs text-muted">Go to</span>
      {named.map(({ id, title }) => (
        <Button
          key={id}
          size="sm"
          variant="ghost"
          className="max-w-40"
          title={title}
          onClick={() => {
            giveWay();
            showNode(canvas, id);
          }}
        >
          <span className="truncate">{title}</span>
        </Button>
      ))}
    </div>
  );
}
