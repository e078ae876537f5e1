import type { Problem } from "../engine/document/validate.ts";
import type { Json } from "../engine/json.ts";
import type { ReplayOptions } from "../engine/run/replay/replay-options.ts";
import type { RunExtent } from "../engine/run/run-reach.ts";
import type { WorkflowDocument } from "../engine/document/workflow-document.ts";

/** Which part of a workflow a run takes, and what it is served from; all of it, for real, when absent. */
export interface RunStart extends Partial<Omit<RunExtent, "input">> {
  replay?: ReplayOptions;
  /** Another version than the open one, such as the one that an earlier run was made with. */
  document?: WorkflowDocument;
}

/** How panels start and stop runs of the open workflow; what a run does is read from the run store. */
export interface RunControl {
  running: boolean;
  /** Why the last start was refused; empty when it was not. */
  blocked: readonly Problem[];
  /** Starts a run of the document as it is. Returns its id, or null when problems or a running run are in the way. */
  start(input: Json, options?: RunStart): string | null;
  /** Aborts the run and its open requests. */
  stop(): void;
  /** Takes note that the problems were read. */
  dismiss(): void;
}
