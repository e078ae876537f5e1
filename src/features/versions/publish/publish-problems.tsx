import { useLocation } from "wouter";
import type { BundleProblem } from "../../../engine/publish/bundle.ts";
import { useEditor } from "../../../state/editor/editor-context.tsx";
import { showProblem } from "../../../state/editor/show-node.ts";
import { Icon } from "../../../ui/icons/icon.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";

/** What keeps the workflow from being published; each line leads to its node, or to the other workflow that it is in. */
export function PublishProblems({ problems, onClose }: { problems: readonly BundleProblem[]; onClose: () => void }) {
  const { workflowId, canvas, document } = useEditor();
  const [, navigate] = useLocation();
  const go = (problem: BundleProblem) => {
    onClose();
    if (problem.workflow.id === workflowId) showProblem(canvas, problem);
    else navigate(`/w/${problem.workflow.id}`);
  };
  const placeOf = ({ workflow, nodeId }: BundleProblem) =>
    workflow.id === workflowId
      ? document.getState().document.nodes[nodeId ?? ""]?.title
      : `In the workflow "${workflow.name}"`;
  return (
    <div className="flex h-full flex-col gap-3 overflow-y-auto p-5">
      <Notice
        tone="danger"
        title={
          problems.length === 1
            ? "1 problem keeps it from being published"
            : `${problems.length} problems keep it from being published`
        }
      >
        A version runs without you, so fix its errors first.
      </Notice>
      <ul className="flex flex-col">
        {problems.map((problem, index) => (
          <li key={index}>
            <button
              type="button"
              className="flex w-full gap-2 rounded-md px-2 py-1.5 text-left hover:bg-hover"
              onClick={() => go(problem)}
            >
              <span className="mt-0.5 text-danger">
                <Icon name="circle-alert" />
              </span>
              <span className="min-w-0">
                <span className="block truncate text-xs text-muted">{placeOf(problem)}</span>
                <span className="block font-medium wrap-anywhere">{problem.message}</span>
                <span className="block text-xs text-muted wrap-anywhere">{problem.hint}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
