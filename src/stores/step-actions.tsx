import { createContext, type ReactNode, useContext } from "react";
import type { ModelStep, ToolStep } from "../engine/run/run-state.ts";

/** A recorded model or tool call. */
export type CallStep = ModelStep | ToolStep;

/** What can be done with a recorded call; it belongs to another feature than the panels that show calls. */
type RenderStepActions = (step: CallStep) => ReactNode;

const StepActionsContext = createContext<RenderStepActions>(() => null);

export function StepActionsProvider({ render, children }: { render: RenderStepActions; children: ReactNode }) {
  return <StepActionsContext value={render}>{children}</StepActionsContext>;
}

/** The buttons for one call; nothing where the page offers none. */
export function StepActions({ step }: { step: CallStep }) {
  return useContext(StepActionsContext)(step);
}
