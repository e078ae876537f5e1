import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleDocument } from "../testing/sample-nodes.ts";
import { isReference, nodeSlugs } from "./slug.ts";
import { slugify } from "./slugify.ts";

describe("slugs", () => {
  it("are identifiers made from the title", () => {
    expect(slugify("Ask the agent!")).toBe("ask_the_agent");
    expect(slugify("Größe prüfen")).toBe("gro_e_prufen");
    expect(slugify("2nd step")).toBe("n_2nd_step");
    expect(slugify("日本")).toBe("日本");
    expect(slugify("JSON")).toBe("json_node");
    expect(slugify("Constructor")).toBe("constructor_node");
  });

  it("are unique within a document", () => {
    const document = sampleDocument({ a: "step", b: "step", c: "step" }, []);
    for (const node of Object.values(document.nodes)) node.title = "Same";
    expect([...nodeSlugs(document).values()]).toEqual(["same", "same_2", "same_3"]);
  });
});

describe("names from titles of all scripts", () => {
  it.each([
    ["查询", "查询"],
    ["查询 API", "查询_api"],
    ["Заказ №2", "заказ_no2"],
    ["🔥", "🔥"],
    ["🔥 2", "🔥_2"],
    ["🔥 Alert", "alert"],
    ["ＡＰＩ", "api"],
    ["नमस्ते", "नमस्ते"],
    ["", "node"],
    ["!?", "node"],
  ])("%s gives %s", (title, name) => {
    expect(slugify(title)).toBe(name);
  });

  it("give themselves, so that a name may be written as a title", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(9), (title, count) => {
        const name = slugify(title);
        expect(slugify(name)).toBe(name);
        expect(slugify(`${name}_${count}`)).toBe(`${name}_${count}`);
        expect(name).not.toMatch(/["'\\.\s[\]{}>]/);
      }),
      { numRuns: 2_000 },
    );
  });

  it("can be kept, however long the title is written out", () => {
    const unit = fc.constantFrom("ﷺ", "á", "查", "🔥", "_", "2", "㎯", "a\u0301");
    const long = fc
      .array(fc.tuple(unit, fc.nat(250)), { maxLength: 4 })
      .map((runs) => runs.map(([sign, count]) => sign.repeat(count)).join(""));
    fc.assert(
      fc.property(long, (title) => {
        expect(isReference(slugify(title))).toBe(true);
        const document = sampleDocument({ a: "step", b: "step" }, []);
        for (const node of Object.values(document.nodes)) node.title = title;
        const names = [...nodeSlugs(document).values()];
        expect(new Set(names).size).toBe(2);
        expect(names.every(isReference)).toBe(true);
      }),
    );
    expect(slugify("ﷺ".repeat(200))).toHaveLength(380);
  });

  it("are looked up only among names that can be kept", () => {
    for (const text of ['a"b', "a b", "A", "json", "", "nodes"]) expect(isReference(text)).toBe(false);
    expect(isReference("查询_2")).toBe(true);
  });
});
