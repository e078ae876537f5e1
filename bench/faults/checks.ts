import type { FaultCheck } from "./fault-world.ts";
import { lostCreateAnswer, lostSaveAnswer, lostSaveAnswerThenReopened, sessionRefused } from "./lost-answers.ts";
import { memoryLoadFails, memorySaveFails, turnsMadeOffline } from "./memory-faults.ts";
import { oddTextInMemory, oddTextInRun, oddTextInWorkflow } from "./odd-text.ts";

/** What every round of `npm test` and of the bench goes through. */
export const faultChecks: readonly FaultCheck[] = [
  oddTextInRun,
  oddTextInMemory,
  oddTextInWorkflow,
  lostSaveAnswer,
  lostSaveAnswerThenReopened,
  lostCreateAnswer,
  sessionRefused,
  memorySaveFails,
  memoryLoadFails,
  turnsMadeOffline,
];
