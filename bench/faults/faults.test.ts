import { afterAll, beforeAll, expect, test } from "vitest";
import { faultChecks } from "./checks.ts";
import { type FaultWorld, heldRounds, openFaultWorld } from "./fault-world.ts";

/** The short form; `npm run bench -- --only faults` makes many more rounds. */
const rounds = 3;

let world: FaultWorld;
beforeAll(async () => {
  world = await openFaultWorld();
});
afterAll(() => world.stop());

test.each(faultChecks)("$name: every round holds", async (check) => {
  expect(await heldRounds(world, check, rounds)).toBe(rounds);
});
