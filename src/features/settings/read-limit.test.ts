import { expect, it } from "vitest";
import { readLimit } from "./read-limit.ts";

it("reads a limit, or none", () => {
  expect(readLimit(" 30 ", 100)).toEqual({ ok: true, limit: 30 });
  expect(readLimit("", 100)).toEqual({ ok: true, limit: null });
});

it("says which numbers are possible", () => {
  for (const text of ["0", "-1", "1.5", "101", "many"]) {
    expect(readLimit(text, 100)).toEqual({
      ok: false,
      problem: "Enter a whole number from 1 to 100, or leave it empty.",
    });
  }
});
