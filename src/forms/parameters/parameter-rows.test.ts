import { describe, expect, it } from "vitest";
import { rowsFrom, schemaFrom, type ParameterRow } from "./parameter-rows.ts";

const rows: ParameterRow[] = [
  { name: "city", type: "string", description: "Where", required: true },
  { name: "days", type: "integer", description: "", required: false },
];

describe("parameter rows", () => {
  it("come back from the schema that they make", () => {
    expect(rowsFrom(schemaFrom(rows))).toEqual(rows);
    expect(schemaFrom(rows)).toEqual({
      type: "object",
      properties: { city: { type: "string", description: "Where" }, days: { type: "integer" } },
      required: ["city"],
      additionalProperties: false,
    });
  });

  it("leave a schema that says more to the JSON editor", () => {
    const base = schemaFrom(rows);
    expect(rowsFrom({ ...base, $defs: {} })).toBeNull();
    expect(rowsFrom({ ...base, properties: { city: { type: "string", enum: ["Bonn"] } } })).toBeNull();
    expect(rowsFrom({ ...base, properties: { city: { type: ["string", "null"] } } })).toBeNull();
    expect(rowsFrom({ properties: {} })).toBeNull();
    expect(rowsFrom("text")).toBeNull();
  });

  it("without a name are not part of the schema", () => {
    expect(schemaFrom([{ name: " ", type: "string", description: "", required: true }])).toMatchObject({
      properties: {},
      required: [],
    });
  });
});
