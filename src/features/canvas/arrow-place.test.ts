import { describe, expect, it } from "vitest";
import { arrowPlace } from "./arrow-place.ts";

describe("arrowPlace", () => {
  it("stands in the middle and points along the flow", () => {
    expect(arrowPlace("M0,0 C50,0 50,0 100,0", "forward")).toBe("translate(50 0) rotate(0)");
    expect(arrowPlace("M0,0 C50,0 50,0 100,0", "backward")).toBe("translate(50 0) rotate(180)");
    expect(arrowPlace("M0,0 C0,-40 0,-60.5 0,-100.5", "forward")).toBe("translate(0 -50.25) rotate(-90)");
  });
});
