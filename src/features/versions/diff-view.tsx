import { useMemo } from "react";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { diffDocuments, isSameDocument } from "../../engine/document/diff-documents.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { DiffText } from "../../ui/diff-text.tsx";
import { GraphSketch } from "../../ui/graph-sketch.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import type { SketchMark } from "../../ui/sketch.ts";
import { wordDiff } from "../../ui/word-diff.ts";
import { type ChangeText, countDiff, describeDiff, type DiffEntry } from "./describe-diff.ts";
import { diffSketch } from "./diff-sketch.ts";

const marks: Record<SketchMark, { icon: IconName; word: string; tint: string }> = {
  added: { icon: "plus", word: "Added", tint: "text-success" },
  removed: { icon: "minus", word: "Removed", tint: "text-danger" },
  changed: { icon: "pencil", word: "Changed", tint: "text-warning" },
  moved: { icon: "arrow-right", word: "Moved", tint: "text-role-memory" },
};

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
      {same ? (
        <p className="text-muted">Nothing differs.</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {entries.map((entry) => (
            <Entry key={`${entry.mark} ${entry.id}`} entry={entry} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Entry({ entry: { title, mark, note, changes } }: { entry: DiffEntry }) {
  const { icon, word, tint } = marks[mark];
  return (
    <li className="flex gap-2">
      <span className={`mt-0.5 ${tint}`}>
        <Icon name={icon} size={14} label={word} />
      </span>
      <div className="min-w-0 flex-1">
        <p>
          <span className="font-medium wrap-anywhere">{title}</span>
          {note !== undefined && <span className="text-muted"> · {note}</span>}
        </p>
        {changes.map((change) => (
          <Change key={change.label} change={change} />
        ))}
      </div>
    </li>
  );
}

function Change({ change: { label, before, after } }: { change: ChangeText }) {
  if (before === undefined && after === undefined) return <p className="text-muted wrap-anywhere">{label}</p>;
  const words = before !== undefined && after !== undefined ? wordDiff(before, after) : null;
  return (
    <div className="mt-1 text-xs wrap-anywhere">
      <p className="text-muted">{label}</p>
      {before !== undefined && (
        <del className="block rounded-sm bg-danger-soft px-1.5 py-0.5 font-mono no-underline before:content-['−_']">
          {words ? <DiffText parts={words.before} /> : before}
        </del>
      )}
      {after !== undefined && (
        <ins className="block rounded-sm bg-success-soft px-1.5 py-0.5 font-mono no-underline before:content-['+_']">
          {words ? <DiffText parts={words.after} /> : after}
        </ins>
      )}
    </div>
  );
}
