import { describe, expect, it } from "vitest";
import { schemaDefaults, schemaFields } from "./schema-fields.ts";

const schema = {
  type: "object",
  properties: {
    city: { type: "string", description: "Where" },
    days: { type: "integer", minimum: 1, maximum: 7, default: 3 },
    unit: { type: "string", enum: ["C", "F"] },
    deep: { type: "object", properties: { a: { type: "string" } } },
    loud: { type: "boolean" },
    any: {},
  },
  required: ["city"],
};

describe("schemaFields", () => {
  it("gives each property the control that fits it", () => {
    expect(Object.fromEntries(schemaFields(schema).map(({ name, control }) => [name, control]))).toEqual({
      city: "textarea",
      days: "number",
      unit: "select",
      deep: "json",
      loud: "switch",
      any: "json",
    });
  });

  it("keeps what a person needs to know", () => {
    const [city, days, unit] = schemaFields(schema);
    expect(city).toMatchObject({ label: "city", help: "Where", required: true });
    expect(days).toMatchObject({ min: 1, max: 7, integer: true, default: 3, required: false });
    expect(unit?.options).toEqual(["C", "F"]);
    expect(schemaDefaults(schema)).toEqual({ days: 3 });
  });

  it("SEP-1330 offers choices by their titles, one or several", () => {
    const fields = schemaFields({
      type: "object",
      properties: {
        plain: { type: "string", enum: ["a", "b"] },
        named: { type: "string", enum: ["a", "b"], enumNames: ["First", "Second"] },
        titled: { type: "string", oneOf: [{ const: "a", title: "First" }, { const: "b" }] },
        several: { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["b"] },
        severalTitled: { type: "array", items: { anyOf: [{ const: "a", title: "First" }] } },
        other: { oneOf: [{ type: "string" }, { type: "number" }] },
      },
    });
    const shown = fields.map(({ name, control, options, optionTitles }) => [name, control, options, optionTitles]);
    expect(shown).toEqual([
      ["plain", "select", ["a", "b"], undefined],
      ["named", "select", ["a", "b"], { a: "First", b: "Second" }],
      ["titled", "select", ["a", "b"], { a: "First" }],
      ["several", "choices", ["a", "b"], undefined],
      ["severalTitled", "choices", ["a"], { a: "First" }],
      ["other", "json", undefined, undefined],
    ]);
    expect(fields[3]?.default).toEqual(["b"]);
  });

  it("shows whether a list is wanted where JSON is written", () => {
    const [list, object] = schemaFields({
      type: "object",
      properties: { list: { type: "array", items: {} }, object: { type: "object" } },
    });
    expect([list?.placeholder, object?.placeholder]).toEqual(["[ ]", undefined]);
  });

  it("is empty for a schema without properties", () => {
    expect(schemaFields({ type: "object" })).toEqual([]);
  });
});
