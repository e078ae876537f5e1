import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { describeFields } from "../engine/config/describe-fields.ts";
import { field } from "../engine/config/field.ts";
import { matchingOptions } from "./combobox.tsx";
import { formProblems } from "./form-problems.ts";
import { formSections } from "./form-sections.ts";
import { jsonFrom, jsonProblem } from "./json-control.tsx";
import { pairsFrom, pairsTo } from "./list-controls.tsx";
import { numberFrom } from "./number-control.tsx";
import { optionLabel } from "./option-label.ts";

const schema = z.object({
  mode: field(z._default(z.enum(["simple", "expert"]), "simple"), { label: "Mode", help: "" }),
  limit: field(z._default(z.int().check(z.minimum(1), z.maximum(10)), 5), {
    label: "Limit",
    help: "",
    section: "Limits",
    visibleWhen: { field: "mode", in: ["expert"] },
    template: "value",
  }),
  url: field(z._default(z.string(), ""), { label: "URL", help: "", required: true }),
});
const fields = describeFields(schema);

describe("a form made from a config", () => {
  it("shows general fields first, then sections, and only what is visible", () => {
    const names = (config: { mode?: string }) =>
      formSections(fields, config).map(({ title, fields }) => [title, fields.map(({ name }) => name)]);
    expect(names({})).toEqual([[undefined, ["mode", "url"]]]);
    expect(names({ mode: "expert" })).toEqual([
      [undefined, ["mode", "url"]],
      ["Limits", ["limit"]],
    ]);
  });

  it("tells what is wrong at the field, but not for hidden fields and templates", () => {
    expect(formProblems(schema, { url: "x" })).toEqual({});
    expect(formProblems(schema, {})).toEqual({ url: "URL is required." });
    expect(formProblems(schema, { url: "x", mode: "expert", limit: 11 })["limit"]).toMatch(/at most 10/);
    expect(formProblems(schema, { url: "x", mode: "simple", limit: 11 })).toEqual({});
    expect(formProblems(schema, { url: "x", mode: "expert", limit: "{{json.limit}}" })).toEqual({});
    expect(formProblems(schema, { url: "x", mode: "expert", limit: "many" })["limit"]).toMatch(/number/);
  });
});

describe("controls", () => {
  it("keep what is typed until it is a number", () => {
    expect(numberFrom("")).toBeUndefined();
    expect(numberFrom(" 0.7 ")).toBe(0.7);
    expect(numberFrom("-")).toBe("-");
    expect(numberFrom("1e400")).toBe("1e400");
    expect(numberFrom(" 7615917337495251231 ")).toBe("7615917337495251231");
  });

  it("keep what is typed until it is JSON, and say so", () => {
    expect(jsonFrom("")).toBeUndefined();
    expect(jsonFrom('{"a":1}')).toEqual({ a: 1 });
    expect(jsonFrom('{"a":')).toBe('{"a":');
    expect(jsonProblem('{"a":')).toMatch(/not valid JSON/);
    expect(jsonProblem('{"a": {{json.x}} }')).toBeUndefined();
    expect(jsonProblem({ a: 1 })).toBeUndefined();
  });

  it("store names with values in the shape of the field", () => {
    const rows = [
      { name: "Accept", value: "text/html" },
      { name: "", value: "unfinished" },
    ];
    expect(pairsTo(rows, {})).toEqual({ Accept: "text/html" });
    expect(pairsTo(rows, [])).toEqual([{ name: "Accept", value: "text/html" }]);
    expect(pairsFrom({ a: "1" })).toEqual([{ name: "a", value: "1" }]);
    expect(pairsFrom([{ name: "a", value: "1" }])).toEqual([{ name: "a", value: "1" }]);
    expect(pairsFrom(undefined)).toEqual([]);
    const several = [...rows, { name: "id", value: "1" }, { name: "x", value: "y" }, { name: "id", value: "2" }];
    expect(pairsTo(several, {}, true)).toEqual({ Accept: "text/html", id: ["1", "2"], x: "y" });
    expect(pairsTo(several, {})).toMatchObject({ id: "2" });
    expect(pairsFrom({ id: ["1", "2"] }, true)).toEqual([
      { name: "id", value: "1" },
      { name: "id", value: "2" },
    ]);
    expect(pairsFrom({ id: ["1", "2"] })).toEqual([{ name: "id", value: '["1","2"]' }]);
  });

  it("narrow suggestions by every typed word, and show all while nothing was typed", () => {
    const options = [{ value: "gpt-4o", detail: "big" }, { value: "gpt-4o-mini" }, { value: "o3", detail: "retired" }];
    const values = (text: string, typed: boolean) => matchingOptions(options, text, typed).map(({ value }) => value);
    expect(values("gpt-4o", false)).toHaveLength(3);
    expect(values("gpt mini", true)).toEqual(["gpt-4o-mini"]);
    expect(values("RETIRED", true)).toEqual(["o3"]);
  });

  it("write choices as words", () => {
    expect(["once", "max_rounds", "GET", "topP", "HTTP/2", "json"].map((option) => optionLabel(option))).toEqual([
      "Once",
      "Max rounds",
      "GET",
      "Top p",
      "HTTP/2",
      "JSON",
    ]);
    expect(optionLabel("lm-studio", { "lm-studio": "LM Studio" })).toBe("LM Studio");
    expect(optionLabel("toString", {})).toBe("To string");
  });
});
