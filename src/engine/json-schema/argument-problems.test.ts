import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { argumentProblems } from "./schema-check.ts";

const schema = {
  type: "object",
  properties: {
    to: { type: "string", minLength: 2 },
    size: { type: "string", enum: ["small", "large"] },
    count: { type: "integer", minimum: 1 },
    lines: { type: "array", items: { type: "object", properties: { text: { type: "string" } } } },
    code: { type: "string", pattern: "^[a-z]+$" },
  },
  required: ["to", "size"],
  additionalProperties: false,
};

describe("argumentProblems", () => {
  it.each<[string, JsonObject, string[]]>([
    ["nothing wrong", { to: "Ann", size: "small", count: 2, lines: [{ text: "a" }], code: "abc" }, []],
    ["what is missing", {}, ["to", "size"]],
    ["another type", { to: 5, size: "small" }, ["to"]],
    ["another choice", { to: "Ann", size: "huge" }, ["size"]],
    ["a bound", { to: "Ann", size: "small", count: 0 }, ["count"]],
    ["a part of a list", { to: "Ann", size: "small", lines: [{ text: 1 }] }, ["lines"]],
    ["a pattern", { to: "Ann", size: "small", code: "ABC" }, ["code"]],
    ["what is not known", { to: "Ann", size: "small", more: 1 }, [""]],
  ])("names %s by its argument", (_name, input, wrong) => {
    const problems = argumentProblems(schema, input);
    expect(Object.keys(problems).toSorted()).toEqual(wrong.toSorted());
    for (const problem of Object.values(problems)) expect(problem).toMatch(/^[A-Z“\d].*\.$/);
  });

  it("says it for a person", () => {
    expect(argumentProblems(schema, { size: "small", more: 1 })).toEqual({
      to: "This is required.",
      "": "“more” is not known here; leave it out.",
    });
    expect(argumentProblems(schema, { to: "Ann", size: "small", lines: [{ text: 1 }] })["lines"]).toMatch(/^0\.text: /);
  });
});
