import { describe, expect, it } from "vitest";
import { readJson, type Json, type JsonSchema } from "../json.ts";
import { argumentProblems, schemaCheck } from "./schema-check.ts";

/** Schemas and values as JSON text, since that is how both arrive. */
const cases: [schema: string, value: string, ok: boolean][] = [
  ['{"type": "integer"}', "7615917337495251231", true],
  ['{"type": "integer"}', "-9223372036854775808", true],
  ['{"type": "integer"}', '"7615917337495251231"', true],
  ['{"type": "integer"}', '"76159173374952512x1"', false],
  ['{"type": "integer"}', '"123"', false],
  ['{"type": "number"}', "123456789012345678901234567890", true],
  ['{"type": ["integer", "null"]}', "9007199254740993", true],
  ['{"type": "string"}', "7615917337495251231", true],
  ['{"type": "boolean"}', "7615917337495251231", false],
  ['{"type": "integer", "minimum": 1}', "7615917337495251231", true],
  ['{"type": "integer", "minimum": 1}', "-7615917337495251231", false],
  ['{"type": "integer", "maximum": 10}', "7615917337495251231", false],
  ['{"type": "integer", "maximum": 9223372036854775807}', "9223372036854775807", true],
  ['{"type": "integer", "maximum": 9223372036854775807}', "9223372036854775808", false],
  ['{"type": "integer", "exclusiveMaximum": 9223372036854775807}', "9223372036854775807", false],
  ['{"type": "integer", "minimum": -9223372036854775808}', "-9223372036854775808", true],
  ['{"type": "integer", "minimum": -9223372036854775808}', "-9223372036854775809", false],
  ['{"type": "integer", "exclusiveMinimum": 9007199254740992}', "9007199254740993", true],
  ['{"type": "number", "maximum": 1e30}', "123456789012345678901234567890", true],
  ['{"type": "number", "maximum": 1e29}', "123456789012345678901234567890", false],
  ['{"type": "integer", "enum": [7615917337495251231, 5]}', "7615917337495251231", true],
  ['{"type": "integer", "enum": [7615917337495251231, 5]}', "7615917337495251299", false],
  ['{"enum": [7615917337495251231]}', "7615917337495251231", true],
  ['{"type": "integer", "const": 7615917337495251231}', "7615917337495251231", true],
  ['{"type": "integer", "const": 7615917337495251231}', "7615917337495251299", false],
  ['{"type": "string", "enum": ["7615917337495251231"]}', '"7615917337495251231"', true],
  ['{"anyOf": [{"type": "integer"}, {"type": "null"}]}', "7615917337495251231", true],
  ['{"type": "array", "items": {"type": "integer"}}', "[1, 7615917337495251231]", true],
  [
    '{"type": "array", "items": {"type": "integer"}, "uniqueItems": true}',
    "[9007199254740993, 9007199254740992]",
    true,
  ],
  ['{"properties": {"a/b c~": {"type": "integer", "minimum": 0}}}', '{"a/b c~": 7615917337495251231}', true],
  ['{"properties": {"a/b c~": {"type": "integer", "minimum": 0}}}', '{"a/b c~": -7615917337495251231}', false],
  ['{"$ref": "#/$defs/id", "$defs": {"id": {"type": "integer"}}}', "7615917337495251231", true],
  [
    '{"properties": {"id": {"type": "integer"}, "s": {"pattern": "^a"}}}',
    '{"id": 7615917337495251231, "s": "ab"}',
    true,
  ],
  [
    '{"properties": {"id": {"type": "integer"}, "s": {"pattern": "^a"}}}',
    '{"id": 7615917337495251231, "s": "b"}',
    false,
  ],
  ['{"not": {"type": "string"}}', "7615917337495251231", false],
];

describe("a large integer in a schema check", () => {
  it.each(cases)("%s of %s is %s", (schema, value, ok) => {
    expect(schemaCheck(readJson(schema) as JsonSchema)(readJson(value)).ok).toBe(ok);
  });

  it("also compares with the limits of a schema that was written in code", () => {
    const check = (schema: JsonSchema, value: Json) => schemaCheck(schema)(value).ok;
    expect(check({ type: "integer", maximum: 2 ** 53 }, "9007199254740993")).toBe(false);
    expect(check({ type: "integer", enum: [2 ** 53] }, "9007199254740992")).toBe(true);
    expect(check({ const: 2 ** 53 }, "9007199254740992")).toBe(true);
    expect(check({ const: 2 ** 53 }, "9007199254740993")).toBe(false);
  });

  it("names the value's own digits in what is wrong", () => {
    const schema: JsonSchema = { properties: { id: { type: "integer", maximum: 9_007_199_254_740_991 } } };
    expect(schemaCheck(schema)({ id: "7615917337495251231" })).toMatchObject({
      reason: 'Field "id": 7615917337495251231 is greater than 9007199254740991.',
    });
    expect(argumentProblems(schema, { id: "7615917337495251231" })).toEqual({
      id: "7615917337495251231 is greater than 9007199254740991.",
    });
  });
});
