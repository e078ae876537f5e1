import { describe, expect, it } from "vitest";
import type { DocumentSection } from "../../../engine/knowledge/source-document.ts";
import { locatePassage } from "./locate-passage.ts";
import { firstMarked, type MarkedText, type SourceBlock, sourceBlocks } from "./source-blocks.ts";

function blocksOf(sections: readonly DocumentSection[], passage: string): SourceBlock[] {
  const texts = sections.map(({ text }) => text);
  return sourceBlocks(sections, locatePassage(texts, passage));
}

const marksIn = ({ text, marks }: MarkedText) => marks.map(({ from, to }) => text.slice(from, to));

describe("the blocks of a source", () => {
  it("are its headings and paragraphs, with the passage marked over two of them", () => {
    const blocks = blocksOf(
      [
        { headings: ["Shop"], text: "We sell lamps.\n\nThey are of oak." },
        { headings: ["Shop", "Returns"], text: "Within a month." },
      ],
      "are of oak.\n\nWithin",
    );
    expect(blocks.map((block) => (block.kind === "text" ? marksIn(block.content) : block.kind))).toEqual([
      "heading",
      [],
      ["are of oak."],
      "heading",
      ["Within"],
    ]);
    expect(firstMarked(blocks)).toBe(2);
    expect(firstMarked(blocksOf([{ headings: [], text: "Nothing of it." }], "elsewhere entirely"))).toBeNull();
  });

  it("say on which page they are", () => {
    const pages = [1, 1, 2].map((page) => ({ headings: [], text: `On ${page}.`, metadata: { page } }));
    expect(blocksOf(pages, "").flatMap((block) => (block.kind === "heading" ? [block.page] : []))).toEqual([1, 2]);
  });

  it("show the rows of a sheet as a table, and mark the whole row that a passage is from", () => {
    const row = (number: number, text: string): DocumentSection => ({
      headings: ["Prices"],
      text,
      metadata: { row: number },
      alone: true,
    });
    const blocks = blocksOf(
      [row(2, "Lamp: Alder\nPrice: 240"), row(3, "Lamp: Birch\nNote: two\nlines: yes"), row(4, "Price: 1")],
      "Lamp: Birch",
    );
    expect(blocks).toHaveLength(2);
    const [, table] = blocks;
    if (table?.kind !== "table") throw new Error("no table");
    expect([table.names, table.numbers]).toEqual([
      ["Lamp", "Price", "Note", "lines"],
      [2, 3, 4],
    ]);
    expect(table.rows.map((cells) => cells.map(({ text }) => text))).toEqual([
      ["Alder", "240", "", ""],
      ["Birch", "", "two", "yes"],
      ["", "1", "", ""],
    ]);
    expect(table.rows.map((cells) => cells.flatMap(marksIn))).toEqual([[], ["Birch", "two", "yes"], []]);
  });

  it("show lines of cells as a table, with the passage marked in its cells", () => {
    const [table] = blocksOf([{ headings: [], text: "Lamp | Price\nAlder | 240\nBirch | 180" }], "Alder | 240");
    if (table?.kind !== "table") throw new Error("no table");
    expect(table.rows.map((cells) => cells.map(marksIn))).toEqual([
      [[], []],
      [["Alder"], ["240"]],
      [[], []],
    ]);
  });

  it("cut an endless line and an endless sheet into parts, and lose nothing", () => {
    const text = "word ".repeat(10_000);
    const blocks = blocksOf([{ headings: [], text }], "nothing");
    expect(blocks.length).toBeGreaterThan(5);
    expect(blocks.flatMap((block) => (block.kind === "text" ? [block.content.text] : [])).join("")).toBe(text);
    const rows = Array.from({ length: 120 }, (_, row) => ({
      headings: [],
      text: `A: ${row}`,
      metadata: { row },
      alone: true,
    }));
    const tables = blocksOf(rows, "nothing").flatMap((block) => (block.kind === "table" ? [block.rows.length] : []));
    expect(tables).toEqual([50, 50, 20]);
  });
});
