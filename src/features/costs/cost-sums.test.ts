import { describe, expect, it } from "vitest";
import type { CostSum } from "../../services/services.ts";
import { fillDays, lastDays, sumName } from "./cost-sums.ts";
import { costText } from "./measure.ts";

const sum: CostSum = {
  key: "2026-03-02",
  name: "2026-03-02",
  provider: "",
  merged: 1,
  calls: 2,
  unpricedCalls: 0,
  inputTokens: 100,
  outputTokens: 10,
  costUsd: 0.5,
  runs: 5,
};

describe("sums of costs", () => {
  it("have a row for each day, those without a run too", () => {
    const days = fillDays([sum], ["2026-03-01", "2026-03-02"]);
    expect(days.map(({ key, costUsd, runs }) => [key, costUsd, runs])).toEqual([
      ["2026-03-01", 0, 0],
      ["2026-03-02", 0.5, 5],
    ]);
  });

  it("say what they stand for", () => {
    expect(sumName({ ...sum, key: "w1", name: "Letters" }, "workflow")).toBe("Letters");
    expect(sumName({ ...sum, key: "small", name: "small", provider: "openai" }, "model")).toBe("small (openai)");
    expect(sumName({ ...sum, key: null, merged: 1_000 }, "workflow")).toBe("1,000 other workflows");
    expect(sumName({ ...sum, key: null, merged: 1 }, "model")).toBe("1 other model");
  });

  it("say what is known of a cost", () => {
    expect(costText(sum)).toBe("$0.500");
    expect(costText({ ...sum, unpricedCalls: 1 })).toBe("at least $0.500");
    // A failed call costs nothing, and the other one has no known price.
    expect(costText({ ...sum, costUsd: 0, unpricedCalls: 1 })).toBe("cost unknown");
  });

  it("cover whole days of this place, today included, over a month's end", () => {
    const range = lastDays(3, new Date(2026, 2, 1, 23, 30));
    expect(range.days).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
    expect(range.from).toBe(new Date(2026, 1, 27).toISOString());
    expect(range.to).toBe(new Date(2026, 2, 2).toISOString());
  });
});
