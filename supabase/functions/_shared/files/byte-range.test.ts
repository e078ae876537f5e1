import { expect, test } from "vitest";
import { readRange } from "./byte-range.ts";

test.each<[string, ReturnType<typeof readRange>]>([
  ["bytes=0-0", { first: 0, last: 0 }],
  ["bytes=2-4", { first: 2, last: 4 }],
  ["Bytes=2-", { first: 2, last: 9 }],
  ["bytes=2-99", { first: 2, last: 9 }],
  ["bytes=-3", { first: 7, last: 9 }],
  ["bytes=-99", { first: 0, last: 9 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=4-2", undefined],
  ["bytes=-", undefined],
  ["bytes=0-1,4-5", undefined],
  ["bytes=1e3-", undefined],
  ["lines=0-1", undefined],
])("of ten bytes, %s asks for %o", (header, range) => {
  expect(readRange(header, 10)).toEqual(range);
});

test("a file without bytes has no part", () => {
  expect([readRange("bytes=0-", 0), readRange("bytes=-1", 0)]).toEqual(["unsatisfiable", "unsatisfiable"]);
});
