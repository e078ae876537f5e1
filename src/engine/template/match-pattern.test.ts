import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { matchesPattern } from "./match-pattern.ts";

describe("matchesPattern", () => {
  it("agrees with JavaScript on what both know", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      ".",
      "[ab]",
      "[^a]",
      "(a|b)",
      "(?:ab)",
      "a*",
      "b+",
      "a?",
      "(ab){1,2}",
      "\\w",
      "^",
      "$",
      "\\b",
      "b{2}",
      "(a|)",
      "|",
    );
    const pattern = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "-"), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        expect(matchesPattern(subject, source)).toBe(new RegExp(source).test(subject));
      }),
      { numRuns: 1_000 },
    );
  });

  it("knows classes, ranges, escapes and case folding", () => {
    expect(matchesPattern("Order 42", "^[A-Z][a-z]+ \\d{2,3}$")).toBe(true);
    expect(matchesPattern("a.b", "^a\\.b$")).toBe(true);
    expect(matchesPattern("HELLO", "(?i)^hel+o$")).toBe(true);
    expect(matchesPattern("x-y", "^[\\w-]+$")).toBe(true);
    expect(matchesPattern("A", "\\x41\\u0041?")).toBe(true);
    expect(matchesPattern("a1", "^[a-z]{3,}$")).toBe(false);
  });

  it("counts the steps that it visits, also those from which nothing goes on", () => {
    const visitedIn = (text: string) => {
      let sum = 0;
      matchesPattern(text, "(a?){200}(a?){200}b", (visited) => {
        sum += visited;
      });
      return sum;
    };
    expect(visitedIn("z".repeat(1_000))).toBeGreaterThan(400_000);
    expect(visitedIn("b")).toBeGreaterThan(400);
  });

  it("says what is wrong with a pattern", () => {
    for (const pattern of ["(", "a)", "[a", "*a", "a{3,1}", "(?=a)", "\\1", "a\\", "((a{200}){200}){200}", "[z-a]"]) {
      expect(() => matchesPattern("a", pattern)).toThrow("Regular expression");
    }
  });
});
