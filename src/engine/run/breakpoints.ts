import type { Json } from "../json.ts";

/** What a run can be held before. */
export type PauseKind = "node" | "model-call" | "tool-call";

/** A place where a run may be held. */
export interface PausePlace {
  kind: PauseKind;
  /** The node of the main flow, or the agent that makes the call. */
  nodeId: string;
  /** The node that a breakpoint would stand on: `nodeId` itself, the model's node, or the tool's. */
  atNodeId: string;
}

/** A held run, as the person who decides sees it. */
export interface PauseRequest extends PausePlace {
  /** Unique in the run. */
  pauseId: string;
  /** The tool call that is held. */
  callId?: string;
  toolName?: string;
  /** What would go in: the node's input, the tool's arguments, or `{ messages }` of the model call. */
  input: Json;
}

/**
 * What to do with a held run. `input` goes in instead when it is given; of a model call it is `{ messages }` again.
 * `step` holds the run again at the next place, whatever stands there.
 */
export type PauseDecision = { action: "continue" | "step"; input?: Json } | { action: "stop" };

/** Where a run is to be held; asked at every place, so that the answer may change while the run goes on. */
export interface Breakpoints {
  holdsAt(place: PausePlace): boolean;
}
