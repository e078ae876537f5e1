import { expect, it } from "vitest";
import { keywordShares } from "./keyword-share.ts";
import { fuseByReciprocalRank } from "./reciprocal-rank.ts";

it("gives all of the words 1, none 0, and rare words more", () => {
  const texts = ["Refunds take five days.", "Days are long.", "Nothing here."];
  const [all, some, none] = keywordShares("How many days does a refund take?", texts);
  expect(none).toBe(0);
  expect(all).toBeGreaterThan(some ?? 1);
  expect(keywordShares("refund days", texts)[0]).toBe(1);
  expect(keywordShares("the of", texts)).toEqual([0, 0, 0]);
  expect(keywordShares("", texts)).toEqual([0, 0, 0]);
});

it("puts what stands high in both orders first", () => {
  expect(
    fuseByReciprocalRank([
      ["a", "b", "c"],
      ["b", "d"],
    ]),
  ).toEqual(["b", "a", "d", "c"]);
  expect(fuseByReciprocalRank([])).toEqual([]);
});
