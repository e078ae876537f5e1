import type { Problem } from "../../engine/document/validate.ts";
import { useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import { type SaveState, viewingHistory } from "../../state/run/run-store.ts";
import { showProblem } from "../../state/editor/show-node.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { foldReviews } from "../../state/document/fold-reviews.ts";
import type { RunControl } from "../../state/run/run-control.ts";

/** What stands above every tab of the run panel: why a run did not start, what is not saved, which run is shown. */
export function RunNotices({ execution }: { execution: RunControl }) {
  const saving = useRunStore((state) => (state.currentRunId === null ? undefined : state.saving[state.currentRunId]));
  const { readOnly } = useEditor();
  // Where the workflow is shown as it was, the page itself says which run this is.
  const viewing = useRunStore(viewingHistory) && readOnly === undefined;
  const unsaved = saving === undefined ? undefined : unsavedWords(saving);
  if (execution.blocked.length === 0 && !viewing && unsaved === undefined) return null;
  return (
    <div className="flex max-h-[45%] shrink-0 flex-col gap-2 overflow-y-auto border-b p-2">
      {execution.blocked.length > 0 && <Blocked problems={execution.blocked} onClose={execution.dismiss} />}
      {viewing && <Viewing />}
      {unsaved !== undefined && <Notice tone="warning" {...unsaved} />}
    </div>
  );
}

function Blocked({ problems, onClose }: { problems: readonly Problem[]; onClose: () => void }) {
  const { document, canvas } = useEditor();
  const { nodes } = document.getState().document;
  return (
    <Notice
      tone="danger"
      title="This workflow cannot run yet"
      action={<IconButton icon="x" size="sm" label="Dismiss" onClick={onClose} />}
    >
      <ul className="flex flex-col gap-1">
        {foldReviews(problems).map((problem, index) => (
          <li key={index}>
            <span className="text-ink">{problem.message}</span> {problem.hint}{" "}
            {problem.nodeId !== undefined && nodes[problem.nodeId] !== undefined && (
              <button
                type="button"
                className="font-medium text-accent hover:underline"
                onClick={() => showProblem(canvas, problem)}
              >
                Go to {nodes[problem.nodeId]?.title}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Viewing() {
  const startedAt = useRunStore((state) => state.runs[state.currentRunId ?? ""]?.startedAt);
  const latest = useRunStore((state) => state.started.at(-1) ?? null);
  const show = useRunStore((state) => state.show);
  const when = startedAt === undefined ? "" : ` of ${formatMoment(startedAt)}`;
  return (
    <div role="status" className="flex items-center gap-2 rounded-md bg-hover py-1 pr-1 pl-3">
      <span className="text-muted">
        <Icon name="history" />
      </span>
      <p className="min-w-0 flex-1">You are looking at an earlier run{when}</p>
      <Button size="sm" onClick={() => show(latest)}>
        {latest === null ? "Close it" : "Back to the latest run"}
      </Button>
    </div>
  );
}

function unsavedWords(saving: SaveState): { title: string; children: string } | undefined {
  switch (saving.status) {
    case "saving":
    case "saved":
      return undefined;
    case "retrying":
      return {
        title: "This run is not saved yet",
        children: `${saving.message} It continues, and saving is retried automatically. Keep this tab open.`,
      };
    case "incomplete":
      return {
        title: "Part of this run could not be saved",
        children: `The database did not accept ${saving.missing === 1 ? "1 entry" : `${saving.missing} entries`}; everything else is saved. Download the run as JSON under Run → Steps to keep all of it.`,
      };
    case "lost":
      return {
        title: "This run is not saved",
        children: `${saving.message} Download it as JSON under Run → Steps to keep it.`,
      };
    default:
      return saving satisfies never;
  }
}
