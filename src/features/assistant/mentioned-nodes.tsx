import { useMemo } from "react";
import { useStore } from "zustand";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { answerText } from "../../evaluation/run/view-of-run.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { currentRun, type RunStore } from "../../state/run/run-store.ts";
import { showNode } from "../../state/editor/show-node.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { giveWay } from "../../state/assistant/assistant-store.ts";
import { nodesIn } from "../../state/assistant/nodes-in.ts";

type NamedNode = Pick<NodeRecord, "id" | "title">;

/** The nodes of the open workflow that the assistant's last answer names. `runs` are those of the assistant. */
export function useMentionedNodes(runs: RunStore): readonly NamedNode[] {
  const nodes = useDocumentStore((state) => state.document.nodes);
  const answer = useStore(runs, (state) => {
    const run = currentRun(state);
    return run?.status === "completed" ? answerText(run.output ?? null) : "";
  });
  return useMemo(() => nodesIn(answer, Object.values(nodes)), [answer, nodes]);
}

/** Ways to nodes of the open workflow. */
export function MentionedNodes({ nodes }: { nodes: readonly NamedNode[] }) {
  const { canvas } = useEditor();
  if (nodes.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1">
      <span className="text-xs text-muted">Go to</span>
      {nodes.map(({ id, title }) => (
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
