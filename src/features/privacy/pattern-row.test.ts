import { expect, it } from "vitest";
import { patternProblem } from "../../engine/run/privacy/mask-text.ts";
import { patternRowProblem, storedPatterns } from "./pattern-row.ts";

it("keeps patterns without empty ones and doubles", () => {
  const rows = ["A-[0-9]+", "", "A-[0-9]+", "B"].map((pattern, key) => ({ key, pattern }));
  expect(storedPatterns(rows)).toEqual(["A-[0-9]+", "B"]);
});

it("says what is wrong with a pattern, but not with a row that is still empty", () => {
  expect(patternRowProblem({ key: 0, pattern: "" }, patternProblem)).toBeUndefined();
  expect(patternRowProblem({ key: 0, pattern: "(" }, patternProblem)).toMatch(/not closed/);
});
