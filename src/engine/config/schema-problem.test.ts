import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemaCheck } from "../json-schema/schema-check.ts";
import { typeNames } from "../json-schema/type-names.ts";
import { isJsonObject, type Json } from "../json.ts";
import { schemaProblem } from "./schema-problem.ts";

const good: Json[] = [
  {},
  true,
  { type: "object", properties: { a: { type: ["string", "null"] }, b: { $ref: "#/$defs/b" } }, $defs: { b: true } },
  { type: "array", items: { anyOf: [{ type: "string", pattern: "^a" }, { enum: [1] }] }, required: ["a"] },
  { $ref: "#" },
  { type: "object", properties: { next: { $ref: "#" }, never: false }, required: [] },
  { properties: { a: false }, required: ["a"] },
  { type: "object", properties: { next: { anyOf: [{ $ref: "#" }, { type: "null" }] } }, required: ["next"] },
  { type: "array", items: false, maxItems: 3 },
  { anyOf: [false, { type: "string", minLength: 2, maxLength: 2 }] },
  { enum: [1, "a"], type: "string" },
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

const impossible: [Json, string][] = [
  [{ not: {} }, "the schema excludes everything"],
  [
    { type: "object", properties: { age: { type: "integer", minimum: 5, maximum: 3 } }, required: ["age"] },
    '"minimum" of "age" is above its "maximum"',
  ],
  [{ type: "string", minLength: 4, maxLength: 2 }, '"minLength" of the schema'],
  [{ type: "object", required: ["a"], additionalProperties: false }, 'requires "a"'],
  [{ type: "array", minItems: 1, items: false }, '"items" is false'],
  [{ type: "number", enum: ["a", "b"] }, "exclude each other"],
  [{ allOf: [{ type: "string" }, { type: "object" }] }, "exclude each other"],
  [{ oneOf: [{ type: "null", const: 1 }, false] }, "exclude each other"],
  [{ $ref: "#/$defs/a", $defs: { a: { type: "array", minItems: 3, maxItems: 2 } } }, '"minItems" of the schema'],
  [{ type: "object", properties: { next: { $ref: "#" } }, required: ["next"] }, '"next" has to hold another'],
];

describe("a JSON Schema", () => {
  it.each(good.map((schema) => [JSON.stringify(schema), schema] as const))("can be used: %s", (_text, schema) => {
    expect(schemaProblem(schema)).toBeUndefined();
  });

  it.each(bad)("is refused with the place: %j", (schema, words) => {
    expect(schemaProblem(schema)).toContain(words);
  });

  it.each(impossible)("is refused when nothing can fit it: %j", (schema, words) => {
    expect(schemaProblem(schema)).toMatch(/^Nothing can fit the JSON Schema: /);
    expect(schemaProblem(schema)).toContain(words);
  });

  it("is not refused when something fits it", () => {
    const values: Json[] = [
      null,
      true,
      "",
      "ab",
      "abcd",
      0,
      1,
      1.5,
      3,
      [],
      [1],
      ["ab", null],
      {},
      { a: 1 },
      { a: {}, b: "" },
    ];
    const bound = fc.option(fc.nat(3), { nil: undefined });
    const { words } = fc.letrec<{ schema: Json; words: Json }>((tie) => ({
      schema: fc.oneof({ maxDepth: 2, depthSize: "small" }, fc.boolean(), tie("words")),
      words: fc
        .record(
          {
            type: fc.oneof(fc.constantFrom(...typeNames), fc.subarray([...typeNames], { minLength: 1 })),
            enum: fc.array(fc.constantFrom<Json>(null, "ab", 1, 1.5, [], {}), { minLength: 1, maxLength: 3 }),
            const: fc.constantFrom<Json>(null, "ab", 1, {}),
            minimum: bound,
            exclusiveMaximum: bound,
            minLength: bound,
            maxLength: bound,
            minItems: bound,
            maxItems: bound,
            maxProperties: bound,
            required: fc.subarray(["a", "b"]),
            properties: fc.record({ a: tie("schema"), b: tie("schema") }, { requiredKeys: [] }),
            additionalProperties: tie("schema"),
            items: tie("schema"),
            prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
            anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
            oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
            allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
            not: tie("schema"),
          },
          { requiredKeys: [] },
        )
        .map((each) => JSON.parse(JSON.stringify(each)) as Json),
    }));
    const checked = fc.check(
      fc.property(words, (schema) => {
        const fits = isJsonObject(schema) && values.some((value) => schemaCheck(schema)(value).ok);
        return !fits || schemaProblem(schema) === undefined;
      }),
      { numRuns: 150 },
    );
    expect(checked.counterexample).toBeNull();
  });

  it("is refused when it nests without end", () => {
    let schema: Json = {};
    for (let depth = 0; depth < 200; depth += 1) schema = { items: schema };
    expect(schemaProblem(schema)).toContain("too deeply");
  });
});
