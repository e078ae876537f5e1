import type { JsonObject } from "../json.ts";
import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { estimateTokens } from "../model/estimate-tokens.ts";
import { compareChunks } from "./compare-chunks.ts";
import { cutDocument, embeddedText } from "./cut-document.ts";
import { cutText } from "./cut-text.ts";
import type { DocumentSection } from "./source-document.ts";

const cut = (text: string, size: number, overlap = 0) => [...cutText(text, { size, overlap })];
const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

describe("characters of two halves", () => {
  const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);

  it("are cut neither in a text without spaces nor in a long heading", () => {
    const section = { headings: ["😀".repeat(700), "x"], text: `a${"😀".repeat(1_500)}` };
    for (const { heading, content } of cutDocument([section], { size: 50, overlap: 10 })) {
      expect(isWhole(heading)).toBe(true);
      expect(isWhole(content)).toBe(true);
    }
  });
});

describe("cutText", () => {
  it("leaves a short text whole, and makes nothing of white space", () => {
    expect(cut("  One sentence. Another.\n", 800)).toEqual(["One sentence. Another."]);
    expect(cut(" \n\n ", 800)).toEqual([]);
  });

  it("cuts between sentences, and between paragraphs where one ends near", () => {
    const first = "Aa bb cc dd ee ff gg. ".repeat(3).trim();
    const text = `${first}\n\nHh ii jj kk ll mm nn. Oo pp qq rr ss tt uu. Vv ww xx.`;
    expect(cut(text, 24)).toEqual([first, "Hh ii jj kk ll mm nn. Oo pp qq rr ss tt uu. Vv ww xx."]);
    expect(cut("First one here. Second one here. Third one here.", 9)).toEqual([
      "First one here. Second one here.",
      "Third one here.",
    ]);
  });

  it("begins with the last sentences of the piece before", () => {
    const text = Array.from({ length: 12 }, (_, n) => `Sentence ${n} is here.`).join(" ");
    const pieces = cut(text, 24, 8);
    expect(pieces.length).toBeGreaterThan(2);
    pieces.slice(1).forEach((piece, index) => {
      const start = piece.split(". ")[0] ?? "";
      expect(pieces[index]).toContain(start);
      expect(pieces[index]?.startsWith(start)).toBe(false);
    });
  });

  it("cuts what has no end of sentence between words, and what has no spaces anywhere", () => {
    const longWords = cut("word ".repeat(500), 50);
    expect(longWords.every((piece) => /^(word ?)+$/.test(piece))).toBe(true);
    expect(cut("x".repeat(2_000), 50).join("")).toBe("x".repeat(2_000));
    expect(cut("漢".repeat(500), 50).join("")).toBe("漢".repeat(500));
    // A pair of surrogates is one character.
    expect(cut("😀".repeat(500), 50).join("")).toBe("😀".repeat(500));
  });

  it("keeps the white space before a long sentence, so that each piece stands in the text as it is", () => {
    const text = `.  。 ${"lorem ipsum ".repeat(60)}`;
    for (const piece of cut(text, 52, 40)) expect(text).toContain(piece);
  });

  it("loses no word, keeps the order and the size, whatever the text", () => {
    const part = fc.oneof(
      fc.lorem({ maxCount: 30 }),
      fc.constantFrom(". ", "\n\n", "\n", "! ", "。", " "),
      fc.string({ maxLength: 300 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.integer({ min: 50, max: 200 }), (parts, size) => {
        const text = parts.join(" ");
        const pieces = cut(text, size);
        expect(words(pieces.join(" ")).join("")).toBe(words(text).join(""));
        for (const piece of pieces) expect(estimateTokens(piece)).toBeLessThanOrEqual(size + 1);
        const overlapping = cut(text, size, 40);
        for (const piece of overlapping) expect(estimateTokens(piece)).toBeLessThanOrEqual(size + 1);
        expect(overlapping.every((piece) => text.includes(piece))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe("cutDocument", () => {
  const chunking = { size: 50, overlap: 0 };
  const chunks = (sections: DocumentSection[]) => [...cutDocument(sections, chunking)];

  it("keeps headings apart, joins what stands under the same ones, and leaves rows alone", () => {
    const found = chunks([
      { headings: ["Guide", "Start"], text: "Page one.", metadata: { page: 1 } },
      { headings: ["Guide", "Start"], text: "Page two.", metadata: { page: 2 } },
      { headings: ["Guide", "End"], text: "Last words." },
      { headings: [], text: "name: Ann", alone: true, metadata: { row: 2 } },
      { headings: [], text: "name: Bob", alone: true, metadata: { row: 3 } },
    ]);
    expect(found.map(({ position, heading, content, metadata }) => [position, heading, content, metadata])).toEqual([
      [0, "Guide › Start", "Page one.\n\nPage two.", { page: 1 }],
      [1, "Guide › End", "Last words.", {}],
      [2, "", "name: Ann", { row: 2 }],
      [3, "", "name: Bob", { row: 3 }],
    ]);
    expect(found[0]?.tokens).toBe(estimateTokens("Page one.\n\nPage two."));
    expect(found.map(embeddedText).slice(1, 3)).toEqual(["Guide › End\n\nLast words.", "name: Ann"]);
  });

  it("cuts a long section into several chunks under its heading", () => {
    const found = chunks([{ headings: ["Long"], text: "Some words stand here. ".repeat(40) }]);
    expect(found.length).toBeGreaterThan(3);
    expect(new Set(found.map((chunk) => chunk.heading))).toEqual(new Set(["Long"]));
    expect(found.map((chunk) => chunk.position)).toEqual(found.map((_, index) => index));
  });
});

describe("compareChunks", () => {
  const stored = (
    id: string,
    hash: string,
    position: number,
    embedded = true,
    metadata: JsonObject = { at: position },
  ) => ({
    id,
    hash,
    position,
    embedded,
    metadata,
  });
  const wanted = (hash: string, position: number) => ({ hash, position, metadata: { at: position } });

  it("keeps, moves, adds and removes by content", () => {
    const changes = compareChunks(
      [stored("1", "a", 0), stored("2", "b", 1), stored("3", "c", 2, false)],
      [wanted("b", 0), wanted("new", 1), wanted("c", 2)],
    );
    expect(changes).toEqual({
      remove: ["1"],
      move: [{ id: "2", position: 0, metadata: { at: 0 } }],
      add: [wanted("new", 1)],
      unembedded: [{ id: "3", chunk: wanted("c", 2) }],
      kept: 2,
    });
  });

  it("gives a chunk that stays its new metadata, in whatever order the stored ones are", () => {
    const known = [stored("1", "a", 0, true, { page: 1, document: "a.pdf" }), stored("2", "b", 1)];
    const metadata = { document: "a.pdf", page: 1 };
    expect(compareChunks(known, [{ hash: "a", position: 0, metadata }])).toMatchObject({ move: [], kept: 1 });
    const marked = { ...metadata, untrusted: ["a caller"] };
    expect(compareChunks(known, [{ hash: "a", position: 0, metadata: marked }])).toMatchObject({
      move: [{ id: "1", position: 0, metadata: marked }],
      add: [],
    });
  });

  it("keeps as many equal chunks as are wanted", () => {
    const changes = compareChunks(
      [stored("1", "a", 0), stored("2", "a", 1), stored("3", "a", 2)],
      [wanted("a", 0), wanted("a", 1)],
    );
    expect(changes).toMatchObject({ remove: ["3"], move: [], add: [], kept: 2 });
  });
});
