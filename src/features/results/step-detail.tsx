import type { RunStep } from "../../engine/run/run-state.ts";
import { ModelDetail } from "./model-detail.tsx";
import { NoteDetail } from "./note-detail.tsx";
import { ToolDetail } from "./tool-detail.tsx";

/** Everything about one step. */
export function StepDetail({ step }: { step: RunStep }) {
  switch (step.kind) {
    case "model":
      return <ModelDetail step={step} />;
    case "tool":
      return <ToolDetail step={step} />;
    case "note":
      return <NoteDetail step={step} />;
    default:
      return step satisfies never;
  }
}
