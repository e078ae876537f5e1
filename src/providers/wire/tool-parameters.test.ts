import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../engine/json.ts";
import { objectSchema } from "./tool-parameters.ts";

const text = { type: "string" };
const count = { type: "integer" };

describe("objectSchema", () => {
  it("leaves an object schema as it is", () => {
    const schema = { type: "object", properties: { a: { anyOf: [text, { type: "null" }] } }, required: ["a"] };
    expect(objectSchema(schema)).toEqual(schema);
  });

  it.each<[what: string, given: JsonSchema, expected: JsonSchema]>([
    ["nothing", {}, {}],
    ["a type that is no object", { type: "string" }, {}],
    [
      "a property that is true",
      { type: "object", properties: { f: true, a: text } },
      { properties: { f: {}, a: text } },
    ],
    ["a property that is false", { type: "object", properties: { f: false, a: text } }, { properties: { a: text } }],
    ["a property that is a list", { type: "object", properties: { f: [], a: text } }, { properties: { a: text } }],
    [
      "a choice at the top",
      {
        anyOf: [
          { properties: { a: text, c: text }, required: ["a", "c"] },
          { properties: { b: count, c: count }, required: ["b", "c"] },
        ],
      },
      { properties: { a: text, c: { anyOf: [text, count] }, b: count }, required: ["c"] },
    ],
    [
      "parts that all hold",
      {
        type: "object",
        properties: { a: text },
        allOf: [{ properties: { b: text }, required: ["b"] }],
        required: ["a"],
      },
      { properties: { a: text, b: text }, required: ["a", "b"] },
    ],
    ["a choice of what is no schema", { oneOf: [true, "x"] }, {}],
  ])("makes an object schema of %s", (_what, given, expected) => {
    expect(objectSchema(given)).toEqual({ type: "object", properties: {}, ...expected });
  });
});
