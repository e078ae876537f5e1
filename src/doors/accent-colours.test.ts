import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accentColours, contrast } from "./accent-colours.ts";

const rgb = (hex: string): [number, number, number] => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

describe("colours of a chat page", () => {
  it("can be read in both themes, whatever the owner chose", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
        const hex = `#${value.toString(16).padStart(6, "0")}`;
        for (const [theme, surface] of [
          ["light", "#ffffff"],
          ["dark", "#151a21"],
        ] as const) {
          const { accent, onAccent } = accentColours(hex, theme);
          expect(contrast(rgb(accent), rgb(surface))).toBeGreaterThanOrEqual(4.45);
          expect(contrast(rgb(accent), rgb(onAccent))).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });

  it("keeps a colour that can be read as it is", () => {
    expect(accentColours("#0f766e", "light")).toMatchObject({ accent: "#0f766e", onAccent: "#ffffff" });
  });
});
