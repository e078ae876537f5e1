import { useMemo, useState } from "react";
import type { Problem } from "../../state/document/problem-store.ts";
import { useDocumentStore, useEditor, useProblemStore } from "../../state/editor/editor-context.tsx";
import { showProblem } from "../../state/editor/show-node.ts";
import { classNames } from "../../ui/theme/class-names.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { Popover } from "../../ui/overlays/popover.tsx";

function ProblemRow({ problem, onGo }: { problem: Problem; onGo: () => void }) {
  const { canvas } = useEditor();
  const { nodeId, message, hint, severity } = problem;
  const title = useDocumentStore((state) => (nodeId === undefined ? undefined : state.document.nodes[nodeId]?.title));
  function go() {
    showProblem(canvas, problem);
    onGo();
  }
  return (
    <li>
      <button type="button" onClick={go} className="flex w-full gap-2 rounded-md px-2 py-1.5 text-left hover:bg-hover">
        <span className={classNames("mt-0.5", severity === "error" ? "text-danger" : "text-warning")}>
          <Icon
            name={severity === "error" ? "circle-alert" : "triangle-alert"}
            label={severity === "error" ? "Error" : "Warning"}
          />
        </span>
        <span className="min-w-0 wrap-anywhere">
          {title !== undefined && <span className="block truncate text-xs text-muted">{title}</span>}
          <span className="block font-medium">{message}</span>
          <span className="block text-xs text-muted">{hint}</span>
        </span>
      </button>
    </li>
  );
}

/**
 * How many problems the workflow has; the list leads to each node and field. Nodes that wait for a review are none of them: the
 * bar above the canvas stands for all of these.
 */
export function ProblemList() {
  const all = useProblemStore((state) => state.problems);
  const problems = useMemo(() => all.filter(({ review }) => review === undefined), [all]);
  const [open, setOpen] = useState(false);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const empty = useDocumentStore((state) => Object.keys(state.document.nodes).length === 0);
  // An empty canvas has its own words for what is missing.
  if (problems.length === 0 || empty) return null;
  const words = `${problems.length} ${problems.length === 1 ? "problem" : "problems"}`;
  const sorted = problems.toSorted((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      align="end"
      label="Problems"
      className="w-96 p-1.5"
      trigger={
        <button
          type="button"
          aria-label={words}
          className={classNames(
            "inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-sm whitespace-nowrap hover:bg-hover",
            errors > 0 ? "text-danger" : "text-warning",
          )}
        >
          <Icon name={errors > 0 ? "circle-alert" : "triangle-alert"} />
          <span className="numeric max-md:hidden">{words}</span>
          <span className="numeric md:hidden">{problems.length}</span>
        </button>
      }
    >
      <ul>
        {sorted.map((problem, index) => (
          <ProblemRow
            key={`${problem.nodeId ?? problem.edgeId ?? ""}-${problem.message}-${index}`}
            problem={problem}
            onGo={() => setOpen(false)}
          />
        ))}
      </ul>
    </Popover>
  );
}
