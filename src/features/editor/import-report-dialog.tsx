import { useState } from "react";
import { entryState, type EntryState, type KeptEntry, type KeptReport } from "../../engine/document/import-report.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { formatName, stateWords } from "../../state/document/import-text.ts";
import { showProblem } from "../../state/editor/show-node.ts";
import { Badge, type BadgeTone } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { showToast } from "../../ui/feedback/toast.tsx";

const tones: Readonly<Record<KeptEntry["outcome"], BadgeTone>> = {
  placeholder: "danger",
  needsCredential: "warning",
  approximated: "neutral",
};

const badgeWords: Readonly<Record<KeptEntry["outcome"], string>> = {
  placeholder: "Placeholder",
  needsCredential: "Credential missing",
  approximated: "Approximated",
};

/** The report of an import, kept with the workflow: what is to do and what is done, each with the way to its node. */
export function ImportReportDialog({ onClose }: { onClose: () => void }) {
  const { document: store, canvas } = useEditor();
  const document = useDocumentStore((state) => state.document);
  const [showDone, setShowDone] = useState(false);
  const report = document.importReport;
  if (report === undefined) return null;
  const rows = report.entries.map((entry, index) => ({ entry, index, state: entryState(entry, document.nodes) }));
  const open = rows.filter(({ state }) => state === "open");
  const done = rows.filter(({ state }) => state !== "open");

  function tick(index: number, isDone: boolean) {
    store.getState().edit(isDone ? "Mark as done" : "Mark as not done", (draft) => {
      const entry = draft.importReport?.entries[index];
      if (!entry) return;
      if (isDone) entry.done = true;
      else delete entry.done;
    });
  }

  function remove() {
    store.getState().edit("Remove the import report", (draft) => {
      delete draft.importReport;
    });
    onClose();
    showToast("Import report removed", {
      action: { label: "Undo", onClick: () => void store.getState().undo() },
    });
  }

  function show(nodeId: string) {
    onClose();
    showProblem(canvas, { nodeId });
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={`Imported from ${formatName(report.format)}`}
      description={countWords(report)}
      footer={
        <>
          <Button variant="ghost" className="mr-auto" onClick={remove}>
            Remove the report
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {report.received && (
          <Notice title="This list came with the workflow file.">
            Whoever made the file may have written it. Nodes that contact the outside still wait for your review.
          </Notice>
        )}
        {open.length === 0 && <Notice tone="success" title="Nothing left to do." />}
        {open.length > 0 && (
          <ul aria-label="To do" className="flex flex-col gap-2">
            {open.map((row) => (
              <Entry key={row.index} {...row} nodes={document.nodes} onTick={tick} onShow={show} />
            ))}
          </ul>
        )}
        {report.more !== undefined && (
          <p className="text-muted">{report.more} more were found; only the most important are kept.</p>
        )}
        {done.length > 0 && (
          <div>
            <Button size="sm" variant="ghost" aria-expanded={showDone} onClick={() => setShowDone(!showDone)}>
              {showDone ? "Hide" : "Show"} {done.length} done
            </Button>
          </div>
        )}
        {showDone && (
          <ul aria-label="Done" className="flex flex-col gap-2">
            {done.map((row) => (
              <Entry key={row.index} {...row} nodes={document.nodes} onTick={tick} onShow={show} />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

/** `12 nodes, 14 connections, 9 of 10 expressions translated`. */
function countWords({ nodes, edges, expressions }: KeptReport): string {
  const parts = [`${nodes.total} nodes`, `${edges.total} connections`];
  if (expressions.total > 0) parts.push(`${expressions.cel} of ${expressions.total} expressions translated`);
  return parts.join(", ");
}

function Entry({
  entry,
  index,
  state,
  nodes,
  onTick,
  onShow,
}: {
  entry: KeptEntry;
  index: number;
  state: EntryState;
  nodes: WorkflowDocument["nodes"];
  onTick: (index: number, isDone: boolean) => void;
  onShow: (nodeId: string) => void;
}) {
  const { node, sourceType, outcome, note, nodeId, about } = entry;
  const here = nodeId !== undefined && Object.hasOwn(nodes, nodeId) ? nodeId : undefined;
  const source = sourceType.trim() === "" ? "" : about === "edge" ? "connection" : sourceType;
  return (
    <li className="flex flex-col gap-1.5 rounded-lg border px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span dir="auto" className="min-w-0 font-medium wrap-anywhere">
          {node === "" ? "The workflow" : node}
        </span>
        {state === "open" ? (
          <Badge tone={tones[outcome]}>{badgeWords[outcome]}</Badge>
        ) : (
          <Badge tone="success" icon="check">
            {stateWords[state]}
          </Badge>
        )}
        <span className="ml-auto flex gap-1">
          {here !== undefined && (
            <Button size="sm" variant="ghost" onClick={() => onShow(here)}>
              Show on canvas
            </Button>
          )}
          {state === "open" && (
            <Button size="sm" aria-label={`Done: ${node}`} onClick={() => onTick(index, true)}>
              Done
            </Button>
          )}
          {state === "done" && (
            <Button size="sm" variant="ghost" aria-label={`Not done: ${node}`} onClick={() => onTick(index, false)}>
              Not done
            </Button>
          )}
        </span>
      </div>
      <p dir="auto" className="text-muted wrap-anywhere">
        {source !== "" && <span className="font-mono text-xs">{source}</span>} {note}
      </p>
    </li>
  );
}
