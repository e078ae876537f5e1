import { describe, expect, it } from "vitest";
import type { Json } from "../../engine/json.ts";
import { conditionsFrom, conditionsTo, type GroupDraft, listFrom, valueFor, valueText } from "./condition-draft.ts";

const stored: Json[] = [
  { column: "status", operator: "=", value: "open" },
  {
    any: [
      { column: "total", operator: ">", value: 5 },
      { column: "paid_at", operator: "is null" },
    ],
  },
];

describe("conditions as rows", () => {
  it("come back as they were stored", () => {
    for (const value of [stored, [], { any: [stored[0] ?? null, stored[1] ?? null] }]) {
      const draft = conditionsFrom(value);
      expect(draft && conditionsTo(draft)).toEqual(value);
    }
    expect(conditionsFrom({ column: "id", operator: "=", value: 1 })?.parts).toHaveLength(1);
  });

  it("leave what they cannot show to the text", () => {
    for (const value of [
      "status = 'open'",
      { sql: "a = $1", parameters: [1] },
      [{ column: "a" }],
      [{ column: "a", operator: "=", value: 1, any: [] }],
      [{ column: "a", operator: "=", more: 1 }],
      ["{{json.x}}"],
    ]) {
      expect(conditionsFrom(value)).toBeNull();
    }
  });

  it("without a column, and groups without any, are not stored", () => {
    const draft: GroupDraft = {
      kind: "group",
      mode: "any",
      parts: [
        { kind: "comparison", column: " ", operator: "=", value: "x" },
        { kind: "group", mode: "all", parts: [{ kind: "comparison", column: "", operator: "=" }] },
      ],
    };
    expect(conditionsTo(draft)).toEqual([]);
  });
});

describe("the value of a condition", () => {
  it("is one, two, a list or none", () => {
    expect(valueFor("is null", "a")).toBeUndefined();
    expect(valueFor("=", ["a", "b"])).toBe("a");
    expect(valueFor("=", undefined)).toBe("");
    expect(valueFor("between", "1")).toEqual(["1", ""]);
    expect(valueFor("in", "a, b")).toEqual(["a", "b"]);
    expect(valueFor("not in", ["", "b"])).toEqual(["b"]);
  });

  it("as a list is split at commas that stand in no template", () => {
    expect(listFrom("open, shipped,")).toEqual(["open", "shipped"]);
    expect(listFrom(' {{ai("ids", "which, if any", "array")}} ')).toBe('{{ai("ids", "which, if any", "array")}}');
    expect(listFrom('{{ai("a", "b, c", "string")}}, x')).toEqual(['{{ai("a", "b, c", "string")}}', "x"]);
    expect(valueText(["a", 1])).toBe("a, 1");
    expect(valueText(false)).toBe("false");
  });
});
