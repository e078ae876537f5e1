import { expect, it } from "vitest";
import { toTextFile, shapeOf } from "./result-shape.ts";

it("says what data is made of", () => {
  expect(
    shapeOf([
      { id: 1, name: "a" },
      { id: 2, more: true },
    ]),
  ).toBe("list of 2 items with the keys id, name, more");
  expect(shapeOf({ items: [{ id: 1 }], total: 1, none: null })).toBe(
    "object with 3 keys: items (list of 1 item with the keys id), total (number), none (null)",
  );
  expect(shapeOf([])).toBe("list of 0 items");
  expect(shapeOf([1, 2])).toBe("list of 2 items: number");
  expect(shapeOf("x")).toBe("text");
});

it("keeps texts as they are, and other data as JSON with lines", () => {
  expect(toTextFile([1])).toMatchObject({ text: "[\n  1\n]", extension: "json" });
  expect(toTextFile('{"a":12345678901234567890}')).toMatchObject({
    text: '{"a":12345678901234567890}',
    extension: "json",
  });
  expect(toTextFile("[not json")).toMatchObject({ extension: "txt", shape: "text with 1 line" });
  expect(toTextFile("a\nb\n")).toMatchObject({ extension: "txt", shape: "text with 2 lines" });
});

it("knows a table by its separators", () => {
  expect(toTextFile("name;amount\nAnn;1\nBob;2\n")).toMatchObject({
    extension: "csv",
    shape: "table with 3 lines and the columns name, amount",
  });
  expect(toTextFile('name,note\nAnn,"a, b"\n')).toMatchObject({ extension: "csv" });
  expect(toTextFile("Dear Ann,\nthank you for your letter.\n")).toMatchObject({ extension: "txt" });
});
