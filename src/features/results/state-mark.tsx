import { Icon } from "../../ui/icons/icon.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import type { StepState } from "./step-look.ts";

/** Whether a step runs, waits, is done or failed: a shape as well as a colour. */
export function StateMark({ state }: { state: StepState }) {
  switch (state) {
    case "running":
      return <Spinner size={14} label="running" now />;
    case "waiting":
      return (
        <span className="text-warning">
          <Icon name="hand" size={14} label="waits for approval" />
        </span>
      );
    case "done":
      return (
        <span className="text-success">
          <Icon name="check" size={14} label="done" />
        </span>
      );
    case "failed":
      return (
        <span className="text-danger">
          <Icon name="circle-x" size={14} label="failed" />
        </span>
      );
    case "rejected":
      return (
        <span className="text-muted">
          <Icon name="hand" size={14} label="rejected" />
        </span>
      );
    case "cut":
      return (
        <span className="text-muted">
          <Icon name="circle-stop" size={14} label="not finished" />
        </span>
      );
    case "noted":
      return null;
    default:
      return state satisfies never;
  }
}
