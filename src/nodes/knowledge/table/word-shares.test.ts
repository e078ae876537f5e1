import { describe, expect, it } from "vitest";
import { wordShares } from "./word-shares.ts";

const telling = [true, true, true];

describe("wordShares", () => {
  it("is 1 for a row with every word and 0 for one with none", () => {
    expect(
      wordShares([
        { found: [true, true, true], telling },
        { found: [false, false, false], telling },
      ]),
    ).toEqual([1, 0]);
  });

  it("counts a rare word for more than a frequent one, and one that no row has for the most", () => {
    const [rare = 0, frequent = 0] = wordShares([
      { found: [false, true, false], telling },
      { found: [true, false, false], telling },
      { found: [true, false, false], telling },
    ]);
    expect(rare).toBeGreaterThan(frequent);
    expect(rare).toBeLessThan(1);
  });

  it("leaves out what the language leaves out", () => {
    expect(wordShares([{ found: [true, false], telling: [true, false] }])).toEqual([1]);
    expect(wordShares([{ found: [false], telling: [false] }])).toEqual([0]);
    expect(wordShares([])).toEqual([]);
  });
});
