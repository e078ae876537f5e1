import type { ReactNode } from "react";
import type { Bundle } from "../../engine/publish/bundle.ts";

/**
 * Where the tests of a version that is to be published stand. `to-run`: some have no result for this version yet;
 * `failed`: some did not pass, which only warns; `blocked`: one that has to pass did not.
 */
export type PublishTestsState = "checking" | "to-run" | "running" | "passed" | "failed" | "blocked";

/** The tests of a version that is to be published, as the form for publishing uses them. */
export interface PublishTests {
  state: PublishTestsState;
  /** A suite that has to pass is among those without a result. */
  required: boolean;
  /** What to show of them; null where there are none. */
  section: ReactNode;
  /** Runs what has no result yet; resolves to where they stand then, and to `to-run` when it was stopped. */
  run(): Promise<PublishTestsState>;
}

export interface PublishTestsProps {
  /** The version that is to be published. */
  bundle: Bundle;
  /** The version that is live now; null when none is. */
  live: number | null;
  children(tests: PublishTests): ReactNode;
}
