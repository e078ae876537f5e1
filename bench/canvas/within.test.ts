import { describe, expect, it } from "vitest";
import { within } from "./within.ts";

const never = () => new Promise<never>(() => undefined);

describe("within", () => {
  it("gives what the work gives", async () => {
    await expect(within("Adding", 5, async () => 1 + 1)).resolves.toBe(2);
  });

  it("ends work that hangs with an error that names it", async () => {
    await expect(within("1000 nodes, panning", 0.01, never)).rejects.toThrow(
      /1000 nodes, panning: did not end within 0\.01 s/,
    );
  });

  it("passes on the error of the work itself", async () => {
    const work = () => Promise.reject(new Error("The canvas has no empty spot."));
    await expect(within("Looking", 5, work)).rejects.toThrow("The canvas has no empty spot.");
  });
});
