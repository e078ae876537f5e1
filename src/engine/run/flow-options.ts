import type { Json } from "../json.ts";
import type { Taint } from "../trust/taint.ts";
import type { RunErrorData } from "./errors.ts";
import type { FlowView } from "./flow-view.ts";
import type { EventStamp } from "./run-log.ts";
import type { RunShared } from "./run-shared.ts";

/** How a flow ended: with its output, or with the error of the node that failed. */
export type FlowResult = ({ ok: true; output: Json } | { ok: false; error: RunErrorData }) & {
  /** Where untrusted content in it came from. */
  untrusted?: Taint;
};

/** Which nodes a flow runs, and its place in the run. */
export interface FlowOptions {
  shared: RunShared;
  /** Ids of the nodes that belong to it; all others count as skipped, or as pinned. */
  members: ReadonlySet<string>;
  /** Aborts everything in it; aborted by the flow itself when a node fails. */
  controller: AbortController;
  /** Main edges that bring the first values from outside. */
  entryEdges?: ReadonlySet<string>;
  /** The flow around a for-each branch. */
  parent?: FlowView;
  stamp?: EventStamp;
}
