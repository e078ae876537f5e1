/** Where a run was forked off, as its `run-start` and its row say. */
export interface ForkPoint {
  runId: string;
  /** Absent when the whole recording is replayed. */
  seq?: number;
  /** The call that was changed or made anew. */
  callId?: string;
}
