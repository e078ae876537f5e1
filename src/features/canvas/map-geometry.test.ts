import { describe, expect, it } from "vitest";
import { mapFrame, mapSize, maskPath, wheelFactor } from "./map-geometry.ts";

const view = { x: 0, y: 0, width: 800, height: 600 };

describe("the frame of the map", () => {
  it("has room for the view where no node is", () => {
    expect(mapFrame([], view)).toEqual({ box: { x: -20, y: -20, width: 840, height: 640 }, scale: 4 });
  });

  it("has room for all nodes and the view, centred, in the map's proportions", () => {
    const { box, scale } = mapFrame([{ x: -1000, y: 100, width: 200, height: 100 }], view);
    expect(scale).toBe(9);
    expect(box.width / box.height).toBe((mapSize.width + 10) / (mapSize.height + 10));
    expect([box.x + box.width / 2, box.y + box.height / 2]).toEqual([-100, 300]);
  });
});

describe("the mask of the map", () => {
  it("leaves out what is in view", () => {
    expect(maskPath(mapFrame([], view), view)).toBe("M-40,-40h880v680h-880zM0,0h800v600h-800z");
  });
});

describe("the wheel over the map", () => {
  it("zooms in upwards and out downwards, by pixels, lines or pages", () => {
    expect(wheelFactor({ deltaY: -500, deltaMode: 0 }, false)).toBe(2);
    expect(wheelFactor({ deltaY: 20, deltaMode: 1 }, false)).toBe(0.5);
    expect(wheelFactor({ deltaY: -1, deltaMode: 2 }, false)).toBe(2);
    expect(wheelFactor({ deltaY: -50, deltaMode: 0 }, true)).toBe(2);
  });
});
