import { describe, expect, it } from "vitest";
import { limitRow, rateRow } from "./measure.ts";

describe("what a row is held against", () => {
  it("misses a goal of the design however slow the bare page is", () => {
    expect(rateRow("1000 nodes: panning in fit view", 30, 20, 45)).toMatchObject({
      met: false,
      goal: "≥ 45 fps",
      baseline: 20,
      ratio: 1.5,
    });
  });

  it("meets a goal of the design beside a faster bare page, and forgives the frame at each end", () => {
    expect(rateRow("panning", 46, 60, 45).met).toBe(true);
    expect(rateRow("panning", 59, 60, 60).met).toBe(true);
    expect(rateRow("panning", 57, 60, 60).met).toBe(false);
  });

  it("is held against the bare page where the design names no goal", () => {
    expect(rateRow("2000 nodes", 10, 11)).toMatchObject({ met: true, goal: "≥ 0.9 × bare" });
    expect(rateRow("2000 nodes", 9, 11).met).toBe(false);
  });

  it("keeps to a limit", () => {
    expect(limitRow("elements", 12, "elements", 12).met).toBe(true);
    expect(limitRow("elements", 12.1, "elements", 12).met).toBe(false);
  });
});
