import { afterAll, beforeAll, expect, test } from "vitest";
import { type FaultCheck, type FaultWorld, heldRounds, openFaultWorld } from "./fault-world.ts";
import { lostCreateAnswer, lostSaveAnswer, lostSaveAnswerThenReopened, sessionRefused } from "./lost-answers.ts";
import { memoryLoadFails, memorySaveFails, turnsMadeOffline } from "./memory-faults.ts";
import { oddTextInMemory, oddTextInRun, oddTextInWorkflow } from "./odd-text.ts";

/** The short form; `npm run bench -- --only faults` makes many more rounds. */
const rounds = 3;

let world: FaultWorld;
beforeAll(async () => {
  world = await openFaultWorld();
});
afterAll(() => world.stop());

const checks: FaultCheck[] = [
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

test.each(checks)("$name: every round holds", async (check) => {
  expect(await heldRounds(world, check, rounds)).toBe(rounds);
});
