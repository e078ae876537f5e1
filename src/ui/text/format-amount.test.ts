import { expect, it } from "vitest";
import { formatSize } from "./format-amount.ts";

it("tells characters in the unit that says most", () => {
  expect([0, 9_999, 12_400, 999_949, 999_950, 5_000_000].map(formatSize)).toEqual([
    "0 characters",
    "9,999 characters",
    "12.4k characters",
    "999.9k characters",
    "1.0M characters",
    "5.0M characters",
  ]);
});
