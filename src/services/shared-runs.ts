import type { SharedParts, SharedRun } from "../engine/run/share/shared-run.ts";

/** A link to a run that holds now; the link itself is known only when it is made. */
export interface RunShare {
  id: string;
  parts: SharedParts;
  createdAt: string;
  expiresAt: string;
}

/** Runs that strangers may see. */
export interface SharedRunService {
  /** Those of one run, newest first. */
  list(runId: string): Promise<RunShare[]>;
  /** Keeps what is shown and gives the secret of its link: the only time that it is seen. */
  share(runId: string, shared: SharedRun): Promise<{ id: string; slug: string; expiresAt: string }>;
  /** What is shown by it is deleted. */
  revoke(id: string): Promise<void>;
  /** The page with a run in it, as one file that needs no network. */
  asFile(shared: SharedRun): Promise<string>;
}
