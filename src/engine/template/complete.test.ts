import { describe, expect, it } from "vitest";
import { completeTemplate, previewTemplate } from "./complete.ts";
import { recordScope } from "./scope.ts";

const scope = recordScope({
  json: { name: "Ada", nested: { deep: 1, depth: [2] }, "odd key": 1, list: [{ id: 7 }] },
  search: { hits: [] },
  now: new Date(0),
});

const labels = (text: string, options = {}) =>
  completeTemplate(text, text.length, scope, options)?.options.map((option) => option.label);

describe("completeTemplate", () => {
  it("offers variables and functions at the start of an expression", () => {
    expect(labels("Hi {{")).toEqual(expect.arrayContaining(["json", "search", "now", "size"]));
    expect(labels("{{ sea")).toEqual(["search"]);
    expect(labels("{{json.name + s")).toEqual(["search", "size", "string"]);
    expect(labels("{{a")).toEqual([]);
    expect(labels("{{a", { ai: true })).toEqual(["ai"]);
  });

  it("offers the members of the value before the dot", () => {
    expect(labels("{{json.")).toEqual(["name", "nested", "list"]);
    expect(labels("{{json.nested.de")).toEqual(["deep", "depth"]);
    expect(labels("{{json.list[0].")).toEqual(["id"]);
    expect(labels("{{json.name.")).toEqual([]);
    expect(completeTemplate("{{json.ne}} x", 9, scope)).toMatchObject({ from: 7, options: [{ insert: "nested" }] });
  });

  it("offers nothing outside of expressions and inside quotes", () => {
    expect(labels("json.")).toBe(undefined);
    expect(labels("{{json.name}} json.")).toBe(undefined);
    expect(labels("{{json['na")).toBe(undefined);
  });
});

describe("previewTemplate", () => {
  it("shows the value or what is wrong", () => {
    expect(previewTemplate("Hi {{json.name}}", scope, "text")).toEqual({ ok: true, value: "Hi Ada" });
    expect(previewTemplate("{{json.nme}}", scope, "text")).toMatchObject({ ok: false, hint: 'Did you mean "name"?' });
    expect(previewTemplate("{{json.", scope, "text")).toMatchObject({ ok: false, position: 0 });
  });
});
