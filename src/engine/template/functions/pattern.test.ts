import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { findAll, groupsOf, readPattern } from "./pattern.ts";

describe("JavaScript's patterns", () => {
  it("match where JavaScript matches", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      ".",
      "[ab]",
      "[^a]",
      "[]",
      "(a|b)",
      "(?:ab)",
      "a*",
      "b+?",
      "(ab){1,2}",
      "^",
      "$",
    );
    const pattern = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "A", "\n", "\u2028"), maxLength: 8 });
    const flags = fc.constantFrom("", "i", "m", "s");
    fc.assert(
      fc.property(pattern, text, flags, (source, subject, letters) => {
        const found = findAll(subject, readPattern(source, letters)).map(([start, end]) => [start, end]);
        const known = [...subject.matchAll(new RegExp(source, `g${letters}`))];
        expect(found).toEqual(known.map((match) => [match.index, match.index + match[0].length]));
      }),
      { numRuns: 1_000 },
    );
  });

  it("have groups with and without names", () => {
    const pattern = readPattern("(?<day>\\d+)\\.(\\d+)?");
    const [found = []] = findAll("on 24.", pattern);
    expect([pattern.groups, groupsOf("on 24.", found, pattern)]).toEqual([
      ["day", undefined],
      ["24.", "24", undefined],
    ]);
  });

  it("say what is wrong", () => {
    for (const pattern of ["(", "a)", "[a", "*a", "a**", "a{3,1}", "(?=a)", "(?<!a)", "\\1", "a\\", "\\x4", "[z-a]"])
      expect(() => readPattern(pattern)).toThrow("Regular expression");
  });
});
