import { expect, it } from "vitest";
import type { Problem } from "../../engine/document/problem.ts";
import { foldReviews } from "./fold-reviews.ts";

const problem = (nodeId: string, review?: true): Problem => ({
  nodeId,
  severity: "error",
  code: "invalid_config",
  message: nodeId,
  hint: "",
  ...(review && { review }),
});

it("says once that several nodes wait for a review", () => {
  const folded = foldReviews([problem("a", true), problem("b"), problem("c", true)]);
  expect(folded.map(({ message }) => message)).toEqual(["2 imported nodes wait for your review.", "b"]);
  const one = [problem("a", true), problem("b")];
  expect(foldReviews(one)).toBe(one);
});
