import type { Asker } from "../trust/run-sources.ts";
import type { OwnStores } from "../trust/provenance/finished-call.ts";
import type { KnownFiles } from "../file/run-files.ts";
import { Workspaces } from "../workspace/workspaces.ts";

/**
 * What all nodes and agents of one run share, those of the runs inside it included. Nothing in it outlives the run.
 */
export interface RunScope {
  /** Call ids used so far, so that each event's id is its own. */
  callIds: Set<string>;
  /** Tools whose calls need no further approval, by node and name. */
  approvedTools: Set<string>;
  /** The pending approval that later calls of the same tool wait for. */
  pendingApprovals: Map<string, Promise<unknown>>;
  /** The sessions that a memory has cleared, by its node and the session. */
  clearedSessions: Set<string>;
  /** Hashes of the interfaces' documents that the log has. */
  loggedApps: Set<string>;
  ownStores: OwnStores;
  /** Whose words count as the person's; the owner's where absent. */
  asker?: Asker;
  /** When the run began, in milliseconds since 1970, however often it was resumed; absent outside a run. */
  startedAt?: number;
  /** What servers are asked only once for all nodes, by the question. Whoever reads an answer checks its form. */
  answers: Map<string, Promise<unknown>>;
  /** What the run received or made; a reference to anything else is plain data. */
  files: KnownFiles;
  workspaces: Workspaces;
}

/** The scope of a run that begins now. */
export function newRunScope(asker?: Asker): RunScope {
  return {
    callIds: new Set(),
    approvedTools: new Set(),
    pendingApprovals: new Map(),
    clearedSessions: new Set(),
    loggedApps: new Set(),
    ownStores: { areSpoilt: false },
    ...(asker === undefined ? {} : { asker }),
    answers: new Map(),
    files: new Map(),
    workspaces: new Workspaces(),
  };
}
