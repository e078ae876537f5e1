import type { ReplayMiss, ReplayOptions } from "./replay-options.ts";

/** Where and how a replay leaves its recording; the same for a run and those inside its tool calls. */
export interface ReplayCut {
  /** What begins at this `seq` or later is run. */
  seq: number;
  /** The call that is made anew. */
  callId: string | undefined;
  changes: NonNullable<ReplayOptions["changes"]>;
  onMismatch: NonNullable<ReplayOptions["onMismatch"]>;
  serve: NonNullable<ReplayOptions["serve"]>;
  mayWrite: readonly string[] | undefined;
  onMiss(miss: ReplayMiss): void;
  /** Recorded answers count by their place, whatever is asked: a resumed run asks what it asked before. */
  byPosition?: boolean;
  /** Ids that stand for "this run" in recorded and in new texts. */
  runIds: readonly string[];
  /** Whether a node is set up as it was; asked for nodes that would be served. */
  isUnchanged(nodeId: string): boolean;
}
