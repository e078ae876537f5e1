import { describe, expect, it } from "vitest";
import type { JsonObject, JsonSchema } from "../json.ts";
import { schemaCheck } from "../json-schema/schema-check.ts";
import { fitArguments } from "./fit-arguments.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    to: { type: "string" },
    note: { type: "string" },
    maybe: { type: ["string", "null"] },
    open: { type: "string", nullable: true },
    anything: {},
    count: { type: "integer" },
    price: { type: "number" },
    urgent: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    sizes: { type: "array", items: { type: "integer" } },
    place: { $ref: "#/$defs/place" },
    either: { anyOf: [{ type: "integer" }, { type: "string" }] },
    id: { type: "integer" },
  },
  required: ["to"],
  $defs: { place: { type: "object", properties: { floor: { type: "integer" }, room: { type: "string" } } } },
};

describe("arguments that a model wrote in other types", () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      "null for an optional one",
      { note: null, maybe: null, open: null, anything: null },
      { maybe: null, open: null, anything: null },
    ],
    ["null for a required one", { to: null }, { to: null }],
    ["a number as text", { count: "5", price: " 2.50 " }, { count: 5, price: 2.5 }],
    ["a text that is no such number", { count: "5.5", price: "five" }, { count: "5.5", price: "five" }],
    ["a truth value as text", { urgent: "true" }, { urgent: true }],
    ["a list as text", { tags: '["x", "5"]', sizes: '["1", 2]' }, { tags: ["x", "5"], sizes: [1, 2] }],
    ["an object as text", { place: '{"floor": "3", "room": "5"}' }, { place: { floor: 3, room: "5" } }],
    ["null within an object", { place: { floor: null, room: "a" } }, { place: { room: "a" } }],
    ["a text where a text is wanted", { to: "5", note: "true", either: "5" }, { to: "5", note: "true", either: "5" }],
    ["digits beyond a double", { id: "7615917337495251231" }, { id: "7615917337495251231" }],
    ["what the schema does not know", { more: "5", less: null }, { more: "5", less: null }],
  ])("%s", (_name, written, fitted) => {
    expect(fitArguments(written, schema)).toEqual(fitted);
  });

  it("leaves arguments that fit as they are", () => {
    const input = { to: "Ann", count: 5, tags: ["x"], place: { floor: 3 }, maybe: null, id: "7615917337495251231" };
    expect(schemaCheck(schema)(input).ok).toBe(true);
    expect(fitArguments(input, schema)).toEqual(input);
  });
});
