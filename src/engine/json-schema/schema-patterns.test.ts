import { describe, expect, it } from "vitest";
import type { Json, JsonSchema } from "../json.ts";
import { schemaCheck } from "./schema-check.ts";

const evil = "^(a+)+$";
const long = `${"a".repeat(50_000)}!`;

describe("S72 the patterns of a tool's schema", () => {
  it.each<[string, JsonSchema, Json]>([
    ["pattern", { type: "object", properties: { name: { type: "string", pattern: evil } } }, { name: long }],
    ["patternProperties", { type: "object", patternProperties: { [evil]: false } }, { [long]: 1 }],
    ["anyOf", { anyOf: [{ properties: { name: { pattern: evil } } }, { required: ["other"] }] }, { name: long }],
  ])("cannot hang on a hostile text: %s", (where, schema, value) => {
    expect(schemaCheck(schema)(value).ok).toBe(where === "patternProperties");
  });

  it("are refused where they take too long on a text that they never begin to match", () => {
    const check = schemaCheck({ type: "string", pattern: "(a?){200}(a?){200}b" });
    expect(check("z".repeat(20_000))).toMatchObject({ ok: false, reason: expect.stringContaining("take too long") });
  });

  const schema = {
    type: "object",
    properties: {
      code: { type: "string", pattern: "^[A-Z]{2}-\\d+$" },
      pattern: { type: "string" },
      kind: { enum: ["(a+)+$"] },
    },
    patternProperties: { "^x-": { type: "number" }, "-y$": { minimum: 3 } },
    not: { properties: { code: { pattern: "^ZZ" } }, required: ["code"] },
    additionalProperties: false,
  };

  it.each<[Json, boolean]>([
    [{ code: "AB-12" }, true],
    [{ code: "AB-1.2" }, false],
    [{ code: "ZZ-1" }, false],
    [{ pattern: "anything [" }, true],
    [{ kind: "(a+)+$" }, true],
    [{ "x-y": 4 }, true],
    [{ "x-y": 2 }, false],
    [{ "x-a": "text" }, false],
    [{ other: 1 }, false],
  ])("mean what they did: %j", (value, ok) => {
    expect(schemaCheck(schema)(value).ok).toBe(ok);
  });
});
