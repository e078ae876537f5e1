import { describe, expect, it } from "vitest";
import { acceptedModels, changeLine, priceChanges } from "./price-changes.ts";

const before = {
  openai: { a: { input: 1, output: 2, tools: true }, b: { input: 1, output: 2 }, c: {}, e: { input: 3, output: 4 } },
};
const after = {
  openai: { a: { input: 2, output: 2 }, c: {}, d: { input: 0, output: 0, inputTokens: 9 }, e: {} },
};

describe("what a new copy changes", () => {
  it("is told a line each", () => {
    expect(priceChanges(before, after).map(changeLine)).toEqual([
      "~ openai a: $1 in, $2 out → $2 in, $2 out",
      "− openai b",
      "+ openai d: $0 in, $0 out",
    ]);
  });

  it("is kept as new models and as prices, and what is gone keeps its price", () => {
    expect(acceptedModels(priceChanges(before, after))).toEqual({
      openai: { a: { input: 2, output: 2 }, d: { input: 0, output: 0, inputTokens: 9 } },
    });
  });

  it.each([
    [{ input: 0, output: 0 }],
    [{ input: 0, output: 2 }],
    [{ input: 1, output: 0 }],
    [{ input: 1, output: 2, long: [1_000, 0, 2, 0] as [number, number, number, number] }],
  ])("S92 is refused where a price falls to 0: %j", (model) => {
    const changes = priceChanges(before, { openai: { ...before.openai, a: model } });
    expect(changes).toMatchObject([{ kind: "refused", name: "a" }]);
    expect(acceptedModels(changes)).toEqual({});
    expect(changeLine(changes[0]!)).toContain("refused");
  });
});
