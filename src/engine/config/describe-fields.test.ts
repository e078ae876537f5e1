import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { describeFields } from "./describe-fields.ts";
import { field } from "./field.ts";
import { fieldProblem, parseConfig } from "./parse-config.ts";
import { defaultConfig } from "./field-values.ts";

const schema = z.object({
  mode: field(z._default(z.enum(["fast", "slow"]), "slow"), { label: "Mode", help: "How." }),
  count: field(z._default(z.int().check(z.minimum(1), z.maximum(50)), 10), { label: "Count", help: "How many." }),
  note: z._default(field(z.string(), { label: "Note", help: "Say it.", required: true, template: "text" }), ""),
  budget: field(z.optional(z.number().check(z.positive())), { label: "Budget", help: "Most." }),
  headers: field(z._default(z.record(z.string(), z.string()), {}), { label: "Headers", help: "Sent along." }),
  stop: field(z._default(z.array(z.string()).check(z.maxLength(4)), []), { label: "Stop", help: "Words." }),
  onlySlow: field(z._default(z.boolean(), false), {
    label: "Only slow",
    help: "Shown for slow.",
    visibleWhen: { field: "mode", in: ["slow"] },
  }),
});

describe("describeFields", () => {
  it("derives control, default, bounds and choices from the zod type", () => {
    const fields = Object.fromEntries(describeFields(schema).map((one) => [one.name, one]));
    expect(fields.mode).toMatchObject({ control: "select", options: ["fast", "slow"], default: "slow" });
    expect(fields.count).toMatchObject({ control: "number", min: 1, max: 50, integer: true, default: 10 });
    expect(fields.note).toMatchObject({
      label: "Note",
      control: "text",
      template: "text",
      required: true,
      default: "",
    });
    expect(fields.budget).toMatchObject({ control: "number", optional: true });
    expect(fields.headers).toMatchObject({ control: "key-values" });
    expect(fields.stop).toMatchObject({ control: "string-list" });
    expect(fields.onlySlow).toMatchObject({ control: "switch", visibleWhen: { field: "mode", in: ["slow"] } });
  });

  it("keeps the order and the identity", () => {
    expect(describeFields(schema).map((one) => one.name)).toEqual(Object.keys(schema.shape));
    expect(describeFields(schema)).toBe(describeFields(schema));
  });
});

describe("parseConfig", () => {
  it("fills in defaults", () => {
    expect(defaultConfig(schema)).toEqual({
      mode: "slow",
      count: 10,
      note: "",
      headers: {},
      stop: [],
      onlySlow: false,
    });
    expect(parseConfig(schema, { note: "hi" })).toMatchObject({ ok: true, config: { count: 10, note: "hi" } });
  });

  it("says in words what is wrong with each field", () => {
    const result = parseConfig(schema, {
      mode: "odd",
      count: 51,
      note: " ",
      budget: "x",
      stop: ["a", "b", "c", "d", "e"],
    });
    expect(result.ok ? [] : result.problems.map((problem) => problem.message)).toEqual([
      "Note is required.",
      "Mode must be one of: fast, slow.",
      "Count must be at most 50.",
      "Budget must be a number.",
      "Stop must be at most 4 items.",
    ]);
  });

  it("does not touch the stored object", () => {
    const raw = { note: "hi", unknown: { kept: true } };
    parseConfig(schema, raw);
    expect(raw).toEqual({ note: "hi", unknown: { kept: true } });
  });

  it("checks a single field", () => {
    const count = describeFields(schema)[1];
    expect(count && fieldProblem(schema, count, { count: 1.5 })).toBe("Count must be a whole number.");
    expect(count && fieldProblem(schema, count, {})).toBe(undefined);
  });
});
