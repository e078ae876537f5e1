import { describe, expect, it } from "vitest";
import { hasHidden, showHidden, stripHidden } from "./hidden-text.ts";

describe("hidden text", () => {
  const unseen: [string, number][] = [
    ["a zero-width space", 0x200b],
    ["a right-to-left override", 0x202e],
    ["a tag letter", 0xe0041],
    ["a variation selector", 0xe0110],
    ["a soft hyphen", 0xad],
    ["a Hangul filler", 0x3164],
    ["an invisible plus", 0x2064],
    ["a line separator", 0x2028],
    ["an escape character", 0x1b],
    ["private use", 0xe000],
  ];
  for (const [name, code] of unseen)
    it(`S50 finds, shows and removes ${name}`, () => {
      const text = `be${String.fromCodePoint(code)}fore`;
      expect(hasHidden(text)).toBe(true);
      expect(stripHidden(text)).toBe("before");
      expect(showHidden(text)).toBe(`be⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩fore`);
    });

  it("leaves what can be seen", () => {
    const text = "Grüße, 漢字 العربية é ñ — “quotes”\n\tand a table | 100 € 🙂";
    expect(hasHidden(text)).toBe(false);
    expect(stripHidden(text)).toBe(text);
  });
});
