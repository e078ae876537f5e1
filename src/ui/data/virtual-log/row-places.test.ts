import { describe, expect, it } from "vitest";
import { anchorAt, indexRows, mountedRows, placeRows, rowAt, topKeeping } from "./row-places.ts";

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ key: `r${index}`, estimate: () => 50 }));
const box = { start: 10, width: 700 };

describe("places of rows", () => {
  it("counts a measured height, and an estimate where there is none", () => {
    const rows = rowsOf(3);
    expect([...placeRows(rows, new Map([["r1", 200]]), box)]).toEqual([10, 60, 260, 310]);
  });

  it("finds the row at a height, and the first or last one beyond", () => {
    const tops = placeRows(rowsOf(4), new Map(), box);
    expect([-5, 10, 59.9, 60, 209, 1e9].map((y) => rowAt(tops, y))).toEqual([0, 0, 0, 1, 3, 3]);
    expect(rowAt(placeRows([], new Map(), box), 5)).toBe(-1);
  });

  it("mounts what a view needs of ten thousand rows, and those that are held with their neighbours", () => {
    const tops = placeRows(rowsOf(10_000), new Map(), box);
    const mounted = mountedRows(tops, { from: 250_000, to: 250_500 }, [3]);
    expect(mounted.slice(0, 3)).toEqual([2, 3, 4]);
    expect(mounted.length).toBeLessThan(20);
    expect(mountedRows(tops, { from: -800, to: 100 }, [0, 9_999])).toEqual([0, 1, 9_998, 9_999]);
  });
});

describe("a view that stays where it is", () => {
  const rows = rowsOf(100);
  const before = placeRows(rows, new Map(), box);
  const places = (sizes: Map<string, number>) => ({ tops: placeRows(rows, sizes, box), indexOf: indexRows(rows) });

  it("moves by what rows above it turned out to be", () => {
    const anchor = anchorAt(rows, before, new Map(), 1_020);
    const sizes = new Map([["r3", 90]]);
    expect(anchor && topKeeping(anchor, places(sizes), sizes)).toBe(1_060);
  });

  it("stays when the row that it cuts grows below the cut, as streamed text does", () => {
    const known = new Map([["r20", 50]]);
    const anchor = anchorAt(rows, before, known, 1_020);
    const sizes = new Map([["r20", 400]]);
    expect(anchor && topKeeping(anchor, places(sizes), sizes)).toBe(1_020);
  });

  it("keeps the end of a row in place that is measured for the first time while it is entered from below", () => {
    const anchor = anchorAt(rows, before, new Map(), 1_020);
    const sizes = new Map([["r20", 400]]);
    expect(anchor && topKeeping(anchor, places(sizes), sizes)).toBe(1_370);
  });

  it("says so when its row is gone", () => {
    const anchor = anchorAt(rows, before, new Map(), 1_020);
    const others = rows.slice(50);
    const tops = placeRows(others, new Map(), box);
    expect(anchor && topKeeping(anchor, { tops, indexOf: indexRows(others) }, new Map())).toBeNull();
  });
});
