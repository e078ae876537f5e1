import { describe, expect, it } from "vitest";
import type { SpendingRow } from "../../stores/services.ts";
import { byDay, byModel, byWorkflow, lastDays, totalOf } from "./cost-sums.ts";

const row: SpendingRow = {
  day: "2026-03-02",
  workflowId: "w1",
  workflowName: "Letters",
  provider: "openai",
  model: "small",
  calls: 2,
  unpricedCalls: 0,
  inputTokens: 100,
  outputTokens: 10,
  costUsd: 0.5,
};
const spending = [
  row,
  { ...row, day: "2026-03-03", model: "large", costUsd: 2 },
  { ...row, workflowId: "w2", workflowName: "Offers", unpricedCalls: 2, costUsd: 0 },
];
const counts = [
  { day: "2026-03-02", workflowId: "w1", workflowName: "Letters", status: "completed" as const, runs: 3 },
  { day: "2026-03-02", workflowId: "w1", workflowName: "Letters", status: "failed" as const, runs: 1 },
  { day: "2026-03-02", workflowId: "w3", workflowName: "No model", status: "completed" as const, runs: 1 },
];

describe("sums of costs", () => {
  it("are made by workflow, the dearest first, those without a model call too", () => {
    const sums = byWorkflow(spending, counts);
    expect(sums.map(({ name, costUsd, runs }) => [name, costUsd, runs])).toEqual([
      ["Letters", 2.5, 4],
      ["Offers", 0, 0],
      ["No model", 0, 1],
    ]);
    expect(totalOf(sums)).toMatchObject({ costUsd: 2.5, runs: 5, calls: 6, unpricedCalls: 2, inputTokens: 300 });
  });

  it("are made by model and by day, with empty days", () => {
    expect(byModel(spending).map(({ name, calls }) => [name, calls])).toEqual([
      ["large (openai)", 2],
      ["small (openai)", 4],
    ]);
    const days = byDay(spending, counts, ["2026-03-01", "2026-03-02", "2026-03-03"]);
    expect(days.map(({ costUsd, runs }) => [costUsd, runs])).toEqual([
      [0, 0],
      [0.5, 5],
      [2, 0],
    ]);
  });

  it("cover whole days of this place, today included, over a month's end", () => {
    const range = lastDays(3, new Date(2026, 2, 1, 23, 30));
    expect(range.days).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
    expect(range.from).toBe(new Date(2026, 1, 27).toISOString());
    expect(range.to).toBe(new Date(2026, 2, 2).toISOString());
  });
});
