import { describe, expect, it } from "vitest";
import { imagesIn } from "./images-in.ts";
import { jsonChanges } from "./json-changes.ts";
import { tableOf } from "./table-of.ts";

describe("tableOf", () => {
  it("makes columns of all keys and leaves cells empty", () => {
    expect(
      tableOf([
        { a: 1, b: "x" },
        { a: 2, c: null },
      ]),
    ).toEqual({
      columns: ["a", "b", "c"],
      rows: [
        [1, "x", undefined],
        [2, undefined, null],
      ],
    });
  });

  it("finds the only list of objects in an object", () => {
    expect(tableOf({ success: true, data: [{ id: 1 }], names: ["a"] })?.rows).toEqual([[1]]);
    expect(tableOf({ one: [{ id: 1 }], two: [{ id: 2 }] })).toBeNull();
  });

  it("leaves the rest to the tree", () => {
    for (const value of [[], [1, 2], [{ a: 1 }, 2], [{}], "text", null, [{ a: 1 }, { b: 2 }, { c: 3 }]])
      expect(tableOf(value)).toBeNull();
  });
});

describe("imagesIn", () => {
  it("takes pictures by themselves and in lists", () => {
    const image = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };
    expect(imagesIn(image)).toEqual([
      { mimeType: "image/png", source: "data:image/png;base64,iVBORw0KGgo=", bytes: 8 },
    ]);
    expect(imagesIn(["text", image])).toHaveLength(1);
  });

  it("S47 refuses what could hold a script or is no base64", () => {
    expect(imagesIn({ mimeType: "image/svg+xml", data: "PHN2Zz4=" })).toEqual([]);
    expect(imagesIn({ mimeType: "text/html", data: "PHN2Zz4=" })).toEqual([]);
    expect(imagesIn({ mimeType: "image/png", data: "https://example.com/a.png" })).toEqual([]);
  });
});

describe("jsonChanges", () => {
  it("names each place that differs", () => {
    const before = { to: ["a", "b"], subject: "Hi", cc: "c" };
    const after = { to: ["a", "z"], subject: "Hi", bcc: "d" };
    expect(jsonChanges(before, after)).toEqual([
      { path: "to.1", before: "b", after: "z" },
      { path: "cc", before: "c" },
      { path: "bcc", after: "d" },
    ]);
    expect(jsonChanges(before, structuredClone(before))).toEqual([]);
    expect(jsonChanges("text", { a: 1 })).toEqual([{ path: "", before: "text", after: { a: 1 } }]);
  });
});
