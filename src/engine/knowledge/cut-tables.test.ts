import { describe, expect, it } from "vitest";
import { estimateTokens } from "../model/estimate-tokens.ts";
import { cutDocument } from "./cut-document.ts";
import { cutTables } from "./cut-tables.ts";

const rows = Array.from({ length: 40 }, (_, n) => `Lamp ${n} | ${n} euros. Each | in stock`);
const cut = (text: string, size = 60) => [...cutTables(text, { size, overlap: 0 })];

describe("a table that does not fit into one chunk", () => {
  it.each([
    ["the names of its columns", "Name | Price | Stock", ["Name | Price | Stock"]],
    ["its caption", "Prices of lamps\nName | Price | Stock", ["Prices of lamps", "Name | Price | Stock"]],
    [
      "a caption in a paragraph of its own",
      "Words before.\n\nTable 2: Prices\n\nName | Price | Stock",
      ["Table 2: Prices", "Name | Price | Stock"],
    ],
    ["the line below the names in Markdown", "| Name | Price |\n| --- | --- |", ["| Name | Price |", "| --- | --- |"]],
    ["no paragraph that is none of it", "Words before.\n\nName | Price | Stock", ["Name | Price | Stock"]],
  ])("repeats %s", (_name, above, head) => {
    const pieces = cut(`${above}\n${rows.join("\n")}`);
    expect(pieces.length).toBeGreaterThan(5);
    for (const piece of pieces.slice(1)) {
      const lines = piece.split("\n");
      expect(lines.slice(0, head.length)).toEqual(head);
      expect(lines[head.length]).toMatch(/^Lamp \d+ \|/);
      expect(estimateTokens(piece)).toBeLessThanOrEqual(61);
    }
  });

  it("is cut between rows, of which none is lost", () => {
    const pieces = cut(`Name | Price | Stock\n${rows.join("\n")}`);
    expect(pieces.flatMap((piece) => piece.split("\n")).filter((line) => line.startsWith("Lamp"))).toEqual(rows);
  });

  it("does not lend its head to what stands after it, nor to a table of its own", () => {
    const other = Array.from({ length: 30 }, (_, n) => `Shop ${n} | Berlin`);
    const text = `Name | Price | Stock\n${rows.join("\n")}\n\n${"Words after it. ".repeat(40)}\n\nShop | City\n${other.join("\n")}`;
    const pieces = cut(text);
    const after = pieces.filter((piece) => /^(Words|after|it)\b/.test(piece));
    expect(after.length).toBeGreaterThan(2);
    expect(after.filter((piece) => piece.includes("Name | Price"))).toEqual([]);
    const shops = pieces.filter((piece) => /^Shop \d/m.test(piece) && !piece.includes("Words"));
    expect(shops.length).toBeGreaterThan(1);
    expect(shops.filter((piece) => !piece.startsWith("Shop | City\n"))).toEqual([]);
  });

  it("keeps its head in a parent of rows, whose chunks are parts of it", () => {
    const section = { headings: ["Prices"], text: `Name | Price | Stock\n${rows.join("\n")}` };
    const chunks = [
      ...cutDocument([section], { size: 200, overlap: 0, split: { by: "parents", depth: 1, child: 50 } }),
    ];
    const firsts = chunks.filter(({ parent, position }) => parent?.first === position);
    expect(firsts.length).toBeGreaterThan(1);
    for (const { content } of firsts) expect(content.startsWith("Name | Price | Stock\n")).toBe(true);
  });
});

it("lines of cells that are no table are cut as other text", () => {
  const text = `${"Some words stand here. ".repeat(20)}\na | b\nc | d\n${"Some words stand here. ".repeat(20)}`;
  expect(
    cut(text)
      .join(" ")
      .match(/a \| b/g),
  ).toHaveLength(1);
});
