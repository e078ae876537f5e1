import type { JsonObject } from "../json.ts";
import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { estimateTokens } from "../model/estimate-tokens.ts";
import { compareChunks } from "./compare-chunks.ts";
import { type ChunkDraft, cutDocument, embeddedText } from "./cut-document.ts";
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

const headingsAnd = (text: string, ...headings: string[]): DocumentSection => ({ headings, text });

describe("cutDocument by headings", () => {
  const shop = [
    headingsAnd("All about the shop.", "Shop"),
    headingsAnd("Within thirty days.", "Shop", "Returns"),
    headingsAnd("By post.", "Shop", "Returns", "How"),
    headingsAnd("By card.", "Shop", "Returns", "Refunds", "Card"),
    headingsAnd("At eight.", "Shop", "Hours"),
  ];
  const chunks = (sections: DocumentSection[], depth: number, size = 800) =>
    [...cutDocument(sections, { size, overlap: 0, split: { by: "headings", depth } })].map(({ heading, content }) => [
      heading,
      content,
    ]);

  it("begins a chunk at headings of the chosen levels, and names those further down within it", () => {
    expect(chunks(shop, 2)).toEqual([
      ["Shop", "All about the shop."],
      ["Shop › Returns", "Within thirty days.\n\nHow\n\nBy post.\n\nRefunds\n\nCard\n\nBy card."],
      ["Shop › Hours", "At eight."],
    ]);
    expect(chunks(shop, 1)).toHaveLength(1);
    expect(chunks(shop, 6).map(([heading]) => heading)).toEqual(shop.map(({ headings }) => headings.join(" › ")));
  });

  it("names headings that do not stand above all of a chunk at its beginning, too", () => {
    expect(chunks([headingsAnd("One.", "A", "B", "C"), headingsAnd("Two.", "A", "B", "D")], 1)).toEqual([
      ["A › B", "C\n\nOne.\n\nD\n\nTwo."],
    ]);
  });

  it("splits what is too long between its headings, and a long section by size under its own path", () => {
    const words = (count: number) => "Some words. ".repeat(count).trim();
    const found = chunks(
      [
        headingsAnd(words(10), "A", "One"),
        headingsAnd(words(10), "A", "Two"),
        headingsAnd(words(60), "A", "Three"),
        headingsAnd("The end.", "A", "Four"),
      ],
      1,
      60,
    );
    expect(found.map(([heading]) => heading)).toEqual([
      "A › One",
      "A › Two",
      "A › Three",
      "A › Three",
      "A › Three",
      "A › Four",
    ]);
    for (const [, content = ""] of found) expect(estimateTokens(content)).toBeLessThanOrEqual(60);
  });

  it("leaves rows alone, and joins pages under one heading", () => {
    const rows = [
      { headings: ["Prices"], text: "name: Ann", alone: true },
      { headings: ["Prices"], text: "name: Bob", alone: true },
    ];
    expect(chunks(rows, 1)).toHaveLength(2);
    expect(chunks([headingsAnd("Page one.", "A"), headingsAnd("Page two.", "A")], 2)).toEqual([
      ["A", "Page one.\n\nPage two."],
    ]);
  });
});

describe("cutDocument into parents and children", () => {
  const cutInto = (sections: DocumentSection[], size: number, child: number, depth = 1) => [
    ...cutDocument(sections, { size, overlap: 0, split: { by: "parents", depth, child } }),
  ];
  /** The texts of parents, put together from their chunks. */
  const parents = (chunks: readonly ChunkDraft[]) => {
    const texts = new Map<number, string>();
    for (const { parent, position, content } of chunks) {
      const first = parent?.first ?? position;
      texts.set(first, (texts.get(first) ?? "") + (parent?.lead ?? "") + content);
    }
    return [...texts.values()];
  };

  it("keeps each heading's words apart in chunks, and together in their parent", () => {
    const chunks = cutInto(
      [
        headingsAnd("Within thirty days.", "Returns"),
        headingsAnd("By post.", "Returns", "How"),
        headingsAnd("At eight.", "Hours"),
      ],
      800,
      50,
    );
    expect(chunks.map(({ heading, content, parent }) => [heading, content, parent])).toEqual([
      ["Returns", "Within thirty days.", { first: 0, lead: "" }],
      ["Returns › How", "By post.", { first: 0, lead: "\n\nHow\n\n" }],
      ["Hours", "At eight.", undefined],
    ]);
    expect(parents(chunks)).toEqual(["Within thirty days.\n\nHow\n\nBy post.", "At eight."]);
  });

  it("gives parents of at most their size that hold the words of a section as they stand there", () => {
    const part = fc.oneof(
      fc.lorem({ maxCount: 30 }),
      fc.constantFrom(". ", "\n\n", "\n", "! ", "。", " ", "漢字かな", "|"),
      fc.string({ maxLength: 200 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.integer({ min: 50, max: 90 }), (parts, child) => {
        const text = parts.join(" ");
        const size = 200;
        const chunks = cutInto([{ headings: ["A"], text }], size, child);
        const whole = parents(chunks);
        for (const one of whole) expect(estimateTokens(one)).toBeLessThanOrEqual(size + 1);
        for (const { tokens } of chunks) expect(tokens).toBeLessThanOrEqual(child + 1);
        expect(whole.every((one) => text.includes(one))).toBe(true);
        expect(words(whole.join(" ")).join("")).toBe(words(text).join(""));
      }),
      { numRuns: 150 },
    );
  });

  it("gives what fits into one chunk as it is, and counts positions through the document", () => {
    const long = "Some words stand here. ".repeat(30).trim();
    const chunks = cutInto([headingsAnd("Short.", "A"), headingsAnd(long, "B"), headingsAnd("Short.", "C")], 100, 50);
    expect(chunks.map(({ position }) => position)).toEqual(chunks.map((_, index) => index));
    expect(chunks[0]?.parent).toBeUndefined();
    expect(chunks.at(-1)?.parent).toBeUndefined();
    expect(new Set(chunks.slice(1, -1).map(({ parent }) => parent?.first)).size).toBe(2);
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

  it("moves a chunk that stays into another parent, and out of one", () => {
    const [parent, other] = [
      { first: 0, lead: "" },
      { first: 0, lead: "\n\n" },
    ];
    const known = { ...stored("1", "a", 0), parent };
    expect(compareChunks([known], [{ ...wanted("a", 0), parent: { ...parent } }]).move).toEqual([]);
    expect(compareChunks([known], [{ ...wanted("a", 0), parent: other }]).move).toMatchObject([
      { id: "1", parent: other },
    ]);
    expect(compareChunks([known], [wanted("a", 0)]).move).toEqual([{ id: "1", position: 0, metadata: { at: 0 } }]);
  });

  it("keeps as many equal chunks as are wanted", () => {
    const changes = compareChunks(
      [stored("1", "a", 0), stored("2", "a", 1), stored("3", "a", 2)],
      [wanted("a", 0), wanted("a", 1)],
    );
    expect(changes).toMatchObject({ remove: ["3"], move: [], add: [], kept: 2 });
  });
});
