import type { Problem } from "../engine/document/validate.ts";
import type { Json } from "../engine/json.ts";

/** How panels start and stop runs of the open workflow; what a run does is read from the run store. */
export interface RunControl {
  running: boolean;
  /** Why the last start was refused; empty when it was not. */
  blocked: readonly Problem[];
  /** Starts a run of the document as it is. Returns its id, or null when problems or a running run are in the way. */
  start(input: Json): string | null;
  /** Aborts the run and its open requests. */
  stop(): void;
  /** Takes note that the problems were read. */
  dismiss(): void;
}
