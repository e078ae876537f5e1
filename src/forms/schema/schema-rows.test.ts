import { describe, expect, it } from "vitest";
import { rowsFrom, schemaFrom, type SchemaRow } from "./schema-rows.ts";

const row = (name: string, rest: Partial<SchemaRow> = {}): SchemaRow => ({
  name,
  type: "string",
  description: "",
  required: true,
  ...rest,
});

const rows: SchemaRow[] = [
  row("city", { description: "Where" }),
  row("days", { type: "integer", required: false }),
  row("unit", { options: ["C", "F"] }),
  row("tags", { type: "array", items: { type: "string" } }),
  row("address", {
    type: "object",
    description: "Of the person",
    fields: [row("street"), row("lines", { type: "array", items: { type: "object", fields: [row("text")] } })],
  }),
  row("anything", { type: "object", fields: [] }),
];

describe("the rows of a schema", () => {
  it("come back from the schema that they make, nested ones too", () => {
    expect(rowsFrom(schemaFrom(rows))).toEqual(rows);
    expect(schemaFrom(rows.slice(0, 3))).toEqual({
      type: "object",
      properties: {
        city: { type: "string", description: "Where" },
        days: { type: "integer" },
        unit: { type: "string", enum: ["C", "F"] },
      },
      required: ["city", "unit"],
      additionalProperties: false,
    });
  });

  it("leave a schema that says more to the JSON editor", () => {
    const base = schemaFrom(rows.slice(0, 1));
    expect(rowsFrom({ ...base, $defs: {} })).toBeNull();
    expect(rowsFrom({ ...base, additionalProperties: true })).toBeNull();
    expect(rowsFrom({ ...base, properties: { city: { type: "number", enum: [1] } } })).toBeNull();
    expect(rowsFrom({ ...base, properties: { city: { type: "string", enum: [1] } } })).toBeNull();
    expect(rowsFrom({ ...base, properties: { city: { type: ["string", "null"] } } })).toBeNull();
    expect(
      rowsFrom({ ...base, properties: { list: { type: "array", items: { type: "string", minLength: 1 } } } }),
    ).toBeNull();
    expect(rowsFrom({ properties: {} })).toBeNull();
    expect(rowsFrom("text")).toBeNull();
  });

  it("without a name are not part of the schema", () => {
    expect(schemaFrom([row(" ")])).toMatchObject({ properties: {}, required: [] });
  });
});
