import { describe, expect, it } from "vitest";
import { detailOf, levelOf } from "./zoom-levels.ts";

describe("detail by zoom", () => {
  it("leaves out more the farther away many nodes are, and nothing of few", () => {
    expect([1, 0.5, 0.4, 0.2, 0.19, 0.1].map((zoom) => detailOf(zoom, 500))).toEqual([
      "full",
      "full",
      "lean",
      "lean",
      "box",
      "box",
    ]);
    expect(detailOf(0.1, 60)).toBe("full");
    expect([0.1, 0.5, 0.95].map(levelOf)).toEqual(["far", "normal", "close"]);
  });
});
