import { expect, it } from "vitest";
import { limitTexts, readLimits } from "./read-limits.ts";

it("reads limits back as they were, with none for empty fields", () => {
  const limits = { concurrent: 2, runUsd: 0.25 };
  expect(readLimits(limitTexts(limits))).toEqual({ limits, problems: {} });
});

it("says which fields hold no limit", () => {
  const texts = { ...limitTexts({}), concurrent: "1.5", perMinute: "0", timeoutSeconds: "-3", dayUsd: "ten" };
  expect(readLimits({ ...texts, monthUsd: " 7.5 " })).toEqual({
    limits: { monthUsd: 7.5 },
    problems: {
      concurrent: "Use a whole number.",
      perMinute: "Use a number above zero, or leave it empty.",
      timeoutSeconds: "Use a number above zero, or leave it empty.",
      dayUsd: "Use a number above zero, or leave it empty.",
    },
  });
});

it("takes inputs up to what a run can be started with", () => {
  const read = (inputMb: string) => readLimits({ ...limitTexts({}), inputMb });
  expect(read("16")).toEqual({ limits: { inputMb: 16 }, problems: {} });
  expect(read("16.5").problems).toEqual({ inputMb: "Use at most 16." });
});
