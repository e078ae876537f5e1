import { expect, test } from "vitest";
import { runSince } from "./run-look.ts";

test.each([
  ["completed", null, "Completed 3 minutes ago"],
  ["running", null, "Running, started 3 minutes ago"],
  ["waiting", null, "Waiting, started 3 minutes ago"],
] as const)("a run that is %s says when it started as one would", (status, ending, words) => {
  expect(runSince({ status, ending }, "3 minutes ago")).toBe(words);
});
