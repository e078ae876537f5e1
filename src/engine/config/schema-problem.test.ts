import { describe, expect, it } from "vitest";
import type { Json } from "../json.ts";
import { schemaProblem } from "./schema-problem.ts";

const good: Json[] = [
  {},
  true,
  { type: "object", properties: { a: { type: ["string", "null"] }, b: { $ref: "#/$defs/b" } }, $defs: { b: true } },
  { type: "array", items: { anyOf: [{ type: "string", pattern: "^a" }, { enum: [1] }] }, required: ["a"] },
  { $ref: "#" },
];

const bad: [Json, string][] = [
  ["text", "must be an object"],
  [{ type: "text" }, '"text"'],
  [{ type: "object", properties: { age: { type: "int" } } }, '"age" of the JSON Schema has the type "int"'],
  [{ type: "object", properties: [] }, '"properties" in the JSON Schema has the wrong form'],
  [{ properties: { list: { items: { type: "x" } } } }, '"list.items"'],
  [{ required: "name" }, "list of names"],
  [{ enum: "a" }, "list of values"],
  [{ anyOf: {} }, '"anyOf"'],
  [{ pattern: "(" }, "regular expression"],
  [{ $ref: "#/$defs/none" }, "#/$defs/none"],
  [{ $ref: "https://example.com/schema" }, "https://example.com/schema"],
];

describe("a JSON Schema", () => {
  it.each(good.map((schema) => [JSON.stringify(schema), schema] as const))("can be used: %s", (_text, schema) => {
    expect(schemaProblem(schema)).toBeUndefined();
  });

  it.each(bad)("is refused with the place: %j", (schema, words) => {
    expect(schemaProblem(schema)).toContain(words);
  });

  it("is refused when it nests without end", () => {
    let schema: Json = {};
    for (let depth = 0; depth < 200; depth += 1) schema = { items: schema };
    expect(schemaProblem(schema)).toContain("too deeply");
  });
});
