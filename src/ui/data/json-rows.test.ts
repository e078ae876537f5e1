import { describe, expect, it } from "vitest";
import { jsonRows, levelsWithin } from "./json-rows.ts";

const all = { isOpen: () => true, more: {} };

describe("jsonRows", () => {
  it("walks objects and lists in order, with names and depths", () => {
    const rows = jsonRows({ a: [1, "x"], b: null }, all);
    expect(rows.map((row) => (row.kind === "more" ? row.text : [row.name, row.depth, row.kind]))).toEqual([
      [null, 0, "branch"],
      ["a", 1, "branch"],
      ["0", 2, "leaf"],
      ["1", 2, "leaf"],
      ["b", 1, "leaf"],
    ]);
  });

  it("does not walk what is closed", () => {
    const trap = {
      get inside(): unknown[] {
        return [];
      },
    };
    const rows = jsonRows({ deep: trap }, { isOpen: (_path, depth) => depth === 0, more: {} });
    expect(rows).toHaveLength(2);
  });

  it("gives no two values one path", () => {
    const rows = jsonRows({ "a/b": { c: 1 }, a: { "b/c": 1, b: { c: 1 } }, "~1": 1, "/": 2 }, all);
    expect(new Set(rows.map((row) => row.path)).size).toBe(rows.length);
  });

  it("cuts long lists and long texts, and shows more on request", () => {
    const list = Array.from({ length: 1000 }, (_, index) => index);
    const rows = jsonRows(list, all);
    expect(rows).toHaveLength(52);
    expect(rows.at(-1)).toMatchObject({ kind: "more", owner: "$", next: 250 });
    expect(jsonRows(list, { isOpen: () => true, more: { $: 250 } })).toHaveLength(252);
    const [text] = jsonRows("x".repeat(5000), all);
    expect(text).toMatchObject({ kind: "leaf", cut: 4400, next: 6000 });
  });

  it("cuts no character in half", () => {
    const [text] = jsonRows("🙂".repeat(400), { isOpen: () => true, more: { $: 3 } });
    expect(text).toMatchObject({ text: '"🙂"', cut: 798 });
  });

  it("opens as many levels as are few lines, one at least", () => {
    const answers = Array.from({ length: 60 }, () => ({ response: "x", metadata: { tokens: 1, cost: 2 } }));
    expect(levelsWithin({ a: { b: { c: 1 } } }, 3, 80)).toBe(3);
    expect(levelsWithin(answers, 3, 80)).toBe(1);
    expect(levelsWithin({ answers }, 3, 80)).toBe(2);
    expect(levelsWithin(answers, 3, 10)).toBe(1);
    expect(levelsWithin("text", 3, 80)).toBe(3);
  });

  it("survives a very deep value", () => {
    let deep: unknown = 1;
    for (let index = 0; index < 5000; index += 1) deep = [deep];
    expect(jsonRows(deep, all).length).toBeLessThan(60);
  });
});
