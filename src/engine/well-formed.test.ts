import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WellFormedStream, wellFormed, wellFormedText } from "./well-formed.ts";

/** Texts with every kind of trouble: halves of pairs, U+0000, whole pairs. */
const oddText = fc.array(fc.constantFrom("a", "é", "\u0000", "\ud83d", "\ude00", "😀", "\uffff"), { maxLength: 12 });
const text = oddText.map((pieces) => pieces.join(""));
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(text, tie("json"), { maxKeys: 3 }),
  ),
}));

/** What a database asks of a text: encoded as UTF-8 and read again it is the same, and it has no U+0000. */
const isStorable = (value: string) =>
  new TextDecoder().decode(new TextEncoder().encode(value)) === value && !value.includes("\u0000");

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(texts)];
}

describe("well-formed text", () => {
  it("replaces what no database stores, character by character, and keeps the rest", () => {
    expect(wellFormedText("a\u0000b\ud83dc\ude00d😀")).toBe("a\ufffdb\ufffdc\ufffdd😀");
  });

  it("holds for keys and nested values of any JSON, in which every value keeps its place", () => {
    fc.assert(
      fc.property(json, (value) => {
        const fit = wellFormed(value);
        expect(texts(fit).filter((each) => !isStorable(each))).toEqual([]);
        expect(texts(fit)).toHaveLength(texts(value).length);
        if (texts(value).every(isStorable)) expect(fit).toBe(value);
        expect(wellFormed(fit)).toBe(fit);
      }),
    );
  });

  it("leaves the key __proto__ a key", () => {
    const value: unknown = JSON.parse('{"__proto__":"\\u0000"}');
    expect(JSON.stringify(wellFormed(value))).toBe('{"__proto__":"\ufffd"}');
  });

  it("joins pairs that were cut, wherever a stream is cut", () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(12)), (whole, cuts) => {
        const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length];
        const stream = new WellFormedStream();
        const pieces = places.slice(1).map((end, index) => stream.next(whole.slice(places[index], end)));
        expect(pieces.every(isStorable)).toBe(true);
        // Half a pair at the very end is no character yet.
        expect(pieces.join("")).toBe(wellFormedText(whole.replace(/[\ud800-\udbff]$/, "")));
      }),
    );
  });
});
