import { describe, expect, it } from "vitest";
import type { Json } from "../json.ts";
import { pathAt, pointerKeys } from "./path-at.ts";
import { compileTemplate, resolveTemplate } from "./resolve-template.ts";
import { recordScope } from "./scope.ts";

const json: Json = { items: [{ name: "a" }, { "odd key": { "x/y": 2, "0": 3 } }] };

describe("the expression of a value", () => {
  it.each([
    ["$", "json", json],
    ["$/items/0/name", "json.items[0].name", "a"],
    ["$/items/1/odd key/x~1y", 'json.items[1]["odd key"]["x/y"]', 2],
    ["$/items/1/odd key/0", 'json.items[1]["odd key"]["0"]', 3],
  ])("at %s is %s and gives that value", (pointer, expression, value) => {
    expect(pathAt("json", json, pointerKeys(pointer))).toBe(expression);
    const template = compileTemplate(`{{${expression}}}`);
    expect(resolveTemplate(template, recordScope({ json }), { place: "value" })).toEqual(value);
  });
});
