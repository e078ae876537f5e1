import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { isUnlisted, noPrices } from "./model-price.ts";
import { formOf, readForm, type SettingsForm } from "./settings-form.ts";
import { emptyVariant, type VariantRow, variantRows } from "./variant-rows.ts";

const variant = (part: Partial<VariantRow>): VariantRow => ({ ...emptyVariant("k"), ...part });

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

  it("show assertions and versions as rows, and what no row can show as JSON", () => {
    const settings: JsonObject = {
      ...stored,
      defaultAssert: [{ type: "icontains", value: "Oslo" }, { type: "is-json" }],
      matrix: [{ provider: "openai", model: "own", inputPrice: 1, outputPrice: 2, temperature: 0 }, {}],
    };
    const form = formOf("Refunds", settings);
    expect(form.checks).toMatchObject([{ kind: "contains", value: "Oslo" }]);
    expect(form.defaultAssert).toBe('[\n  {"type":"is-json"}\n]');
    expect(form.variants).toMatchObject([
      { provider: "openai", model: "own", inputPrice: "1", other: '{"temperature":0}' },
      { provider: "", model: "", other: "" },
    ]);
    const read = (part: Partial<SettingsForm>) => readForm({ ...form, ...part }, settings);
    expect(read({})).toMatchObject({ settings });
    expect(read({ defaultAssert: "", variants: variantRows([{ model: "b" }]) })).toMatchObject({
      settings: { defaultAssert: [{ type: "icontains", value: "Oslo" }], matrix: [{ model: "b" }] },
    });
  });

  it("keep the price of a model until another one is chosen", () => {
    const judge = { provider: "openai", model: "own", credential: "c", inputPrice: 0.5, outputPrice: 2 };
    const form = formOf("Refunds", { ...stored, judge });
    expect(form.judge).toMatchObject({ inputPrice: "0.5", outputPrice: "2" });
    expect(readForm(form, { ...stored, judge })).toMatchObject({ settings: { judge } });
  });

  it("ask for the price of models that are in no list and cost something", () => {
    expect(isUnlisted("openai", "of-my-own")).toBe(true);
    expect(isUnlisted("openai", "gpt-4o")).toBe(false);
    expect(isUnlisted("demo", "demo")).toBe(false);
    expect(isUnlisted("openai", " ")).toBe(false);
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

  it.each<[Partial<SettingsForm>, object]>([
    [{ name: " " }, { name: "A suite needs a name." }],
    [{ trials: "0" }, { trials: "A whole number from 1 to 1,000." }],
    [{ trials: "many" }, { trials: "This is not a number." }],
    [{ trialCostUsd: "-1" }, { trialCostUsd: "A number of dollars, 0 or more." }],
    [{ p95LatencyMs: "soon" }, { p95LatencyMs: "This is not a number." }],
    [{ judge: { ...noPrices, provider: "openai", model: "", credential: "" } }, { judge: "Choose a model." }],
    [{ embeddings: { ...noPrices, provider: "demo", model: "", credential: "" } }, { embeddings: "Choose a model." }],
    [
      { judge: { provider: "openai", model: "own", credential: "", inputPrice: "free", outputPrice: "" } },
      { judge: "A price is a number from 0." },
    ],
    [{ passRate: "190" }, { passRate: "A number from 0 to 100." }],
    [{ defaultAssert: "{" }, { defaultAssert: "This is not a list in JSON." }],
    [{ defaultAssert: '[{"type":"equal"}]' }, { defaultAssert: expect.stringContaining('no assertion "equal"') }],
    [
      { variants: [variant({ model: "a" }), variant({ model: "a" })] },
      { variants: expect.stringContaining("two entries") },
    ],
    [{ variants: [variant({ other: "[1]" })] }, { variantRows: { k: expect.stringContaining("not an object") } }],
    [{ checks: [{ key: "k", kind: "contains", value: "", matchCase: false }] }, { checks: { k: expect.any(String) } }],
  ])("%j is refused at its field", (part, problems) => {
    expect(readForm({ ...formOf("Refunds", stored), ...part }, stored)).toEqual({ ok: false, problems });
  });
});
