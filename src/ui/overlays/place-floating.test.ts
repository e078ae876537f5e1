import { describe, expect, it } from "vitest";
import { placeFloating } from "./place-floating.ts";

const room = { width: 1000, height: 600 };
const button = { left: 400, top: 100, width: 80, height: 30 };
const panel = { width: 200, height: 150 };

describe("a floating panel", () => {
  it("stands on the preferred side, aligned as preferred", () => {
    const at = (align: "start" | "center" | "end") =>
      placeFloating(button, panel, room, { side: "bottom", align, gap: 6 });
    expect(at("start")).toMatchObject({ left: 400, top: 136 });
    expect(at("center")).toMatchObject({ left: 340, top: 136 });
    expect(at("end")).toMatchObject({ left: 280, top: 136 });
    expect(placeFloating(button, panel, room, { side: "right", align: "start", gap: 6 })).toMatchObject({
      left: 486,
      top: 100,
    });
  });

  it("turns to the other side where there is more room", () => {
    const low = { ...button, top: 560 };
    expect(placeFloating(low, panel, room, { side: "bottom", align: "start", gap: 6 }).top).toBe(404);
    const far = { ...button, left: 900 };
    expect(placeFloating(far, panel, room, { side: "right", align: "start", gap: 6 }).left).toBe(694);
  });

  it("stays in the window and is cut to the room there is", () => {
    const corner = { left: 980, top: 10, width: 20, height: 20 };
    const placed = placeFloating(corner, { width: 300, height: 900 }, room, { side: "bottom", align: "start", gap: 6 });
    expect(placed.left + 300).toBeLessThanOrEqual(room.width - 8);
    expect(placed.top + placed.maxHeight).toBeLessThanOrEqual(room.height - 8);
  });
});
