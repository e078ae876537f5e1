import { useMemo } from "react";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { diffDocuments, isSameDocument } from "../../engine/document/diff-documents.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { ChangeList } from "../../ui/data/change-list.tsx";
import { GraphSketch } from "../../ui/graph/graph-sketch.tsx";
import { countDiff, describeDiff } from "./describe-diff.ts";
import { diffSketch } from "./diff-sketch.ts";

/** What differs between two versions: one picture with everything marked, and the list in words. */
export function DiffView({
  before,
  after,
  registry,
}: {
  before: WorkflowDocument;
  after: WorkflowDocument;
  registry: NodeRegistry;
}) {
  const { sketch, entries, words, same } = useMemo(() => {
    const diff = diffDocuments(before, after);
    const both = { before, after, registry };
    return {
      sketch: diffSketch(diff, both),
      entries: describeDiff(diff, both),
      words: countDiff(diff),
      same: isSameDocument(diff),
    };
  }, [before, after, registry]);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex h-56 items-center justify-center rounded-lg border bg-canvas bg-[radial-gradient(var(--color-dot)_1px,transparent_1px)] bg-size-[12px_12px] p-2">
        {sketch.nodes.length === 0 ? (
          <span className="text-muted">An empty canvas</span>
        ) : (
          <GraphSketch sketch={sketch} label={same ? "The graph" : `The graph: ${words}`} className="size-full" />
        )}
      </div>
      {same ? <p className="text-muted">Nothing differs.</p> : <ChangeList entries={entries} />}
    </div>
  );
}
