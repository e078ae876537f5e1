import { describe, expect, it } from "vitest";
import { formOf, readForm } from "./settings-form.ts";

const stored = {
  trials: 3,
  replay: "tools",
  onMiss: "live",
  gate: { passRate: 0.9, noWorse: true },
  maxCostUsd: 2.5,
  defaultAssert: [{ type: "contains", value: "{{expected}}" }],
  matrix: [{ model: "a" }, { model: "b" }],
  liveTools: ["issue_refund"],
  approve: true,
  publishing: "block",
  judge: { provider: "openai", model: "gpt-5.4", credential: "c" },
  simulatedUser: { provider: "demo", model: "demo", credential: "" },
  embeddings: { provider: "openai", model: "text-embedding-3-small", credential: "c" },
};

describe("the settings of a suite", () => {
  it("come back as they were, with what the form does not show", () => {
    expect(formOf("Refunds", stored)).toMatchObject({ trials: "3", passRate: "90", liveTools: "issue_refund" });
    expect(readForm(formOf("Refunds", stored), stored)).toEqual({ ok: true, name: "Refunds", settings: stored });
  });

  it("lose the gate's pass rate and the limit of spending when these are emptied", () => {
    const emptied = { ...formOf("Refunds", stored), passRate: "", maxCostUsd: "" };
    const { gate: _gate, maxCostUsd: _cost, ...rest } = stored;
    expect(readForm(emptied, stored)).toEqual({
      ok: true,
      name: "Refunds",
      settings: { ...rest, gate: { noWorse: true } },
    });
  });

  it.each([
    [{ name: " " }, { name: "A suite needs a name." }],
    [{ trials: "0" }, { trials: "A whole number from 1 to 1,000." }],
    [{ trials: "many" }, { trials: "This is not a number." }],
    [{ trialCostUsd: "-1" }, { trialCostUsd: "A number of dollars, 0 or more." }],
    [{ p95LatencyMs: "soon" }, { p95LatencyMs: "This is not a number." }],
    [{ judge: { provider: "openai", model: "", credential: "" } }, { judge: "Choose a model." }],
    [{ embeddings: { provider: "demo", model: "", credential: "" } }, { embeddings: "Choose a model." }],
    [{ passRate: "190" }, { passRate: "A number from 0 to 100." }],
    [{ defaultAssert: "{" }, { defaultAssert: "This is not a list in JSON." }],
    [{ defaultAssert: '[{"type":"equal"}]' }, { defaultAssert: expect.stringContaining('no assertion "equal"') }],
    [{ matrix: '[{"model":"a"},{"model":"a"}]' }, { matrix: expect.stringContaining("two entries") }],
  ])("%j is refused at its field", (part, problems) => {
    expect(readForm({ ...formOf("Refunds", stored), ...part }, stored)).toEqual({ ok: false, problems });
  });
});
