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
