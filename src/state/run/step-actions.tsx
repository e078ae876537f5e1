import { createContext, type ReactNode, useContext } from "react";
import type { ModelStep, NodeStatus, ToolStep } from "../../engine/run/run-state.ts";

/** A recorded model or tool call. */
export type CallStep = ModelStep | ToolStep;

/** A node of the main flow, as one step of a recorded run. */
export interface NodeStep {
  kind: "node";
  nodeId: string;
  status: NodeStatus;
}

/** What can be done with a recorded step; it belongs to other features than the panels that show steps. */
type RenderStepActions = (step: CallStep | NodeStep) => ReactNode;

const StepActionsContext = createContext<RenderStepActions>(() => null);

export function StepActionsProvider({ render, children }: { render: RenderStepActions; children: ReactNode }) {
  return <StepActionsContext value={render}>{children}</StepActionsContext>;
}

/** The buttons for one step; nothing where the page offers none. */
export function StepActions({ step }: { step: CallStep | NodeStep }) {
  return useContext(StepActionsContext)(step);
}
