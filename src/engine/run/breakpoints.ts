import type { Json } from "../json.ts";

/** What a run can pause before. */
export type PauseKind = "node" | "model-call" | "tool-call";

/** A place where a run may pause. */
export interface PausePlace {
  kind: PauseKind;
  /** The node of the main flow, or the agent that makes the call. */
  nodeId: string;
  /** The node that has the breakpoint: `nodeId` itself, the model's node, or the tool's. */
  atNodeId: string;
}

/** A paused run, as shown to the person who decides. */
export interface PauseRequest extends PausePlace {
  /** Unique in the run. */
  pauseId: string;
  /** The tool call that is paused. */
  callId?: string;
  toolName?: string;
  /** What would go in: the node's input, the tool's arguments, or `{ messages }` of the model call. */
  input: Json;
}

/**
 * What to do with a paused run. `input`, if given, replaces the input; for a model call it is `{ messages }`. `step`
 * pauses the run again at the next place, with or without a breakpoint.
 */
export type PauseDecision = { action: "continue" | "step"; input?: Json } | { action: "stop" };

/** Where a run pauses. Asked at every place, so the answer may change during the run. */
export interface Breakpoints {
  holdsAt(place: PausePlace): boolean;
}
