import type { WorkerStatement } from "./statements.ts";

interface Chore {
  /** What it does, after "could not". */
  doing: string;
  /** Milliseconds between two rounds; null where something else begins them. */
  everyMs: number | null;
  /** Owners who are served at the same time. */
  atOnce: number;
  /** What it asks of the database for one owner. Who is due is answered by `dueOwners`, which has a part for each chore. */
  statements: readonly WorkerStatement[];
}

/**
 * Everything that a worker does without having been asked by a run or a person. Each is done owner by owner, as `ChoreRounds` says:
 * a new one joins this list, and `private.studio_due_owners`.
 */
export const chores = {
  schedules: {
    doing: "start the schedules",
    everyMs: 1_000,
    atOnce: 2,
    statements: ["dueTriggers", "fireTrigger"],
  },
  waits: { doing: "end the waits", everyMs: 5_000, atOnce: 1, statements: ["expireWaits"] },
  "lost-runs": { doing: "end the lost runs", everyMs: 5_000, atOnce: 1, statements: ["failLostRuns"] },
  /** Owner by owner only after a claim for anybody has failed. */
  claims: { doing: "take the runs", everyMs: null, atOnce: 1, statements: ["nextRunOf"] },
  /** Runs that wait for no reason: what a worker takes, the jobs of runs, can be lost without losing a run. */
  queue: { doing: "look through the queue", everyMs: 60_000, atOnce: 1, statements: ["checkQueue"] },
  retention: { doing: "delete old data", everyMs: 30_000, atOnce: 1, statements: ["pruneOwner"] },
  notices: { doing: "send the notices of failures", everyMs: 5_000, atOnce: 8, statements: ["claimNotice"] },
  traces: { doing: "send the traces", everyMs: 5_000, atOnce: 8, statements: ["claimTraces"] },
  /** Keyword search in documents whose language changed, or that were there before languages were guessed. */
  reindexing: { doing: "index the documents", everyMs: 5_000, atOnce: 1, statements: ["reindexOwner"] },
  /** Files that came by an API key become documents. */
  uploads: { doing: "store the documents", everyMs: 2_000, atOnce: 2, statements: ["claimUpload", "leaveUpload"] },
  /** Pages of the web become documents of collections, and stay as they are there. */
  sources: {
    doing: "reload the sources",
    everyMs: 5_000,
    atOnce: 4,
    statements: [
      "claimSource",
      "nextSourcePage",
      "nameSourceDocument",
      "noteSourcePage",
      "leaveSource",
      "endSource",
      "takeHostTurn",
    ],
  },
  deletions: { doing: "delete the data", everyMs: 5_000, atOnce: 1, statements: ["deleteOwnerPart"] },
} as const satisfies Record<string, Chore>;

/** The name of a chore, in the database too. */
export type ChoreName = keyof typeof chores;
