import { describe, expect, it } from "vitest";
import type { TemplatePlace } from "../config/field.ts";
import { type Json, readJson } from "../json.ts";
import { compileExpression } from "./expression.ts";
import { compileTemplate, resolveTemplate } from "./resolve-template.ts";
import { recordScope } from "./scope.ts";

const json = readJson(
  '{"id": 7615917337495251231, "other": 7615917337495251299, "low": -9223372036854775808, "count": 5, "text": "abc", "list": [7615917337495251231, 3]}',
);
const scope = recordScope({ json, now: new Date(0) });
const give = (source: string) => compileExpression(source).evaluate(scope);

describe("an id that a double cannot hold, in an expression", () => {
  it.each<[source: string, value: Json]>([
    ["json.id == 7615917337495251231", true],
    ["7615917337495251231 == json.id", true],
    ["json.id != 7615917337495251231", false],
    ["json.id == 7615917337495251299", false],
    ["json.id == json.other", false],
    ['json.id == "7615917337495251231"', true],
    ["json.low == -9223372036854775808", true],
    ["json.id == 5", false],
    ["json.id == json.count", false],
    ["json.id > 5", true],
    ["json.id > json.count", true],
    ["json.count < json.id", true],
    ["json.id < 1.5", false],
    ["json.id >= 7615917337495251231", true],
    ["json.id <= 7615917337495251230", false],
    ["json.low < 0", true],
    ["json.id in [7615917337495251231, 1]", true],
    ["json.other in [7615917337495251231, 1]", false],
    ["number(json.low) in [-9223372036854775808]", true],
    ["7615917337495251231 in json.list", true],
    ["json.list.exists(one, one == 7615917337495251231)", true],
    ["equals(json.id, 7615917337495251231)", true],
    ["equals(json.id, json.other)", false],
    ["equals(json.id, 7615917337495251299)", false],
    ["isLess(json.id, json.other)", true],
    ["isLess(json.id, 10)", false],
    ["isAtMost(json.count, json.id)", true],
    ["sort(json.list)", [3, "7615917337495251231"]],
    ["highest(json.list)", "7615917337495251231"],
    ["highest(json.id, json.other)", "7615917337495251299"],
    ["lowest(json.list)", 3],
    ["lowest(json.low, json.count)", "-9223372036854775808"],
    ["number(json.id)", "7615917337495251231"],
    ["number(json.id) + 1", "7615917337495251232"],
    ["number(json.count) + 1", 6],
    ['number("5") == 5', true],
    ["concat(json.id)", "7615917337495251231"],
    ["string(7615917337495251231)", "7615917337495251231"],
    ["unique([json.id, json.other, json.id])", ["7615917337495251231", "7615917337495251299"]],
  ])("%s", (source, value) => {
    expect(give(source)).toEqual(value);
  });

  it.each(["json.text < 5", "5 < json.text", "json.id + 1"])("%s is still an error", (source) => {
    expect(() => give(source)).toThrow("No such overload");
  });
});

describe("an id that a double cannot hold, in a template", () => {
  const values = { id: "7615917337495251231", text: "7615917337495251231" };
  it.each<[place: TemplatePlace, template: string, value: Json]>([
    [
      "url",
      "https://example.com/{{json.id}}/{{json.low}}?a={{number(json.id)}}",
      "https://example.com/7615917337495251231/-9223372036854775808?a=7615917337495251231",
    ],
    ["header", "Bearer {{json.id}}", "Bearer 7615917337495251231"],
    ["text", "Order {{json.id}} {{number(json.id)}}", "Order 7615917337495251231 7615917337495251231"],
    ["value", "{{json.id}}", "7615917337495251231"],
    ["json", '{"id": {{json.id}}}', '{"id": "7615917337495251231"}'],
    ["json", '{"id": "{{json.id}}"}', '{"id": "7615917337495251231"}'],
    ["json", '{"id": {{number(json.id)}}}', '{"id": 7615917337495251231}'],
    ["json", '{"id": "{{number(json.id)}}"}', '{"id": "7615917337495251231"}'],
    ["json", '{"ids": {{json.list.map(one, number(one))}}}', '{"ids": [7615917337495251231,3]}'],
    ["json", '{{ {"id": number(json.id)} }}', '{"id":7615917337495251231}'],
    ["json", '{{ {"id": json.id} }}', { id: "7615917337495251231" }],
    ["json", '{"id": {{ai("id", "", "integer")}}}', '{"id": 7615917337495251231}'],
    ["json", '{"id": {{ai("id", "", "number")}}}', '{"id": 7615917337495251231}'],
    ["json", '{"id": {{ai("text", "", "string")}}}', '{"id": "7615917337495251231"}'],
    ["json", '{"id": {{ai("none", "", "integer", -9223372036854775808)}}}', '{"id": -9223372036854775808}'],
    ["json", "{{number(json.count)}}", 5],
  ])("in a place for %s: %s", (place, template, value) => {
    expect(resolveTemplate(compileTemplate(template), scope, { place, values })).toEqual(value);
  });
});

it("two ids that end in different digits name two conversations", () => {
  const session = (source: string) =>
    resolveTemplate(compileTemplate(source), scope, { place: "text", identity: true, isDefault: false });
  expect(session("{{json.id}}")).toBe("7615917337495251231");
  expect(session("{{json.other}}")).toBe("7615917337495251299");
  expect(session("user-{{json.other}}")).toBe("user-7615917337495251299");
});
