import type { Json } from "../json.ts";

/** Which part of a workflow a run takes; all of it where nothing is given. */
export interface RunPart {
  /** Run from here: this node gets the run's input; nodes before it do not run. */
  startNodeId?: string;
  /** Run up to here: only what leads to this node runs, and its output is the run's. */
  stopAfterNodeId?: string;
  /** Outputs by node id that are taken instead of running the node; visible to templates. */
  pinned?: Readonly<Record<string, Json>>;
}
