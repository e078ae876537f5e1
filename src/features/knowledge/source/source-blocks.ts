import type { DocumentSection } from "../../../engine/knowledge/source-document.ts";
import type { TextRange } from "./locate-passage.ts";

/** A part of a section's text, and which parts of that belong to the passage. */
export interface MarkedText {
  text: string;
  marks: readonly { from: number; to: number }[];
}

/** What a source is shown as, from its beginning on. */
export type SourceBlock =
  | { kind: "heading"; headings: readonly string[]; page: number | null }
  | { kind: "text"; content: MarkedText }
  /** Rows of cells; `names` are above them where the source names its columns, and `numbers` are those of the rows. */
  | { kind: "table"; names: readonly string[]; numbers: readonly number[]; rows: readonly (readonly MarkedText[])[] };

/** Characters of one block, so that a file of one endless line is shown in parts. */
const longestBlock = 4_000;
/** Rows of one block. */
const maxRows = 50;
const cellBreak = " | ";

/** The sections of a document as blocks with the passage marked. `marks` count sections from 0. */
export function sourceBlocks(sections: readonly DocumentSection[], marks: readonly TextRange[]): SourceBlock[] {
  const marksOf = new Map<number, TextRange[]>();
  for (const mark of marks) marksOf.set(mark.text, [...(marksOf.get(mark.text) ?? []), mark]);
  const blocks: SourceBlock[] = [];
  let above = "";
  for (let index = 0; index < sections.length; index += 1) {
    const section = sections[index];
    if (section === undefined) break;
    const place = { headings: section.headings, page: pageOf(section) };
    const shown = JSON.stringify(place);
    if (shown !== above && (place.headings.length > 0 || place.page !== null))
      blocks.push({ kind: "heading", ...place });
    above = shown;
    const rows = rowsFrom(sections, index);
    if (rows.length > 0) {
      blocks.push(namedTable(rows, (row) => marksOf.get(index + row) ?? []));
      index += rows.length - 1;
    } else blocks.push(...textBlocks(section.text, marksOf.get(index) ?? []));
  }
  return blocks;
}

/** Which blocks hold a part of the passage, the first of them; null where none does. */
export function firstMarked(blocks: readonly SourceBlock[]): number | null {
  const at = blocks.findIndex((block) => {
    if (block.kind === "heading") return false;
    const texts = block.kind === "text" ? [block.content] : block.rows.flat();
    return texts.some(({ marks }) => marks.length > 0);
  });
  return at < 0 ? null : at;
}

function pageOf({ metadata }: DocumentSection): number | null {
  return typeof metadata?.["page"] === "number" ? metadata["page"] : null;
}

function rowNumber({ metadata, alone }: DocumentSection): number | null {
  return alone === true && typeof metadata?.["row"] === "number" ? metadata["row"] : null;
}

/** The rows of one sheet from a section on; none where it is no row. */
function rowsFrom(sections: readonly DocumentSection[], from: number): DocumentSection[] {
  const sheet = JSON.stringify(sections[from]?.headings);
  const rows: DocumentSection[] = [];
  for (const section of sections.slice(from, from + maxRows)) {
    if (rowNumber(section) === null || JSON.stringify(section.headings) !== sheet) break;
    rows.push(section);
  }
  return rows;
}

/** Rows of lines such as "Price: 240", by the names of their columns. */
function namedTable(rows: readonly DocumentSection[], marksOf: (row: number) => readonly TextRange[]): SourceBlock {
  const read = rows.map(({ text }) => {
    const cells = new Map<string, string>();
    let name = "";
    for (const line of text.split("\n")) {
      const at = line.indexOf(": ");
      if (at >= 0) name = line.slice(0, at);
      const before = cells.get(name);
      cells.set(name, at >= 0 && before === undefined ? line.slice(at + 2) : `${before ?? ""}\n${line}`);
    }
    return cells;
  });
  const names = [...new Set(read.flatMap((cells) => [...cells.keys()]))];
  return {
    kind: "table",
    names,
    numbers: rows.map((row) => rowNumber(row) ?? 0),
    rows: read.map((cells, row) => {
      const isMarked = marksOf(row).length > 0;
      return names.map((name) => {
        const text = cells.get(name) ?? "";
        return { text, marks: isMarked && text !== "" ? [{ from: 0, to: text.length }] : [] };
      });
    }),
  };
}

/** Paragraphs, and lines of cells as tables. */
function textBlocks(text: string, marks: readonly TextRange[]): SourceBlock[] {
  return [...text.matchAll(/\S[\s\S]*?(?=\n\s*\n|$(?![\s\S]))/g)].flatMap(({ 0: paragraph, index }): SourceBlock[] => {
    const part = (from: number, to: number) => marked(text, marks, index + from, index + to);
    const lines = linesOf(paragraph);
    if (lines.length > 1 && lines.every((line) => line.text.includes(cellBreak))) {
      return pieces(lines.length, maxRows).map(([from, to]) => ({
        kind: "table",
        names: [],
        numbers: [],
        rows: lines
          .slice(from, to)
          .map((line) => cellsOf(line).map((cell) => part(cell.at, cell.at + cell.text.length))),
      }));
    }
    return pieces(paragraph.length, longestBlock).map(([from, to]) => ({ kind: "text", content: part(from, to) }));
  });
}

interface PlacedLine {
  text: string;
  at: number;
}

function linesOf(paragraph: string): PlacedLine[] {
  let at = 0;
  return paragraph.split("\n").map((text) => {
    const line = { text, at };
    at += text.length + 1;
    return line;
  });
}

function cellsOf({ text, at: start }: PlacedLine): PlacedLine[] {
  let at = start;
  return text.split(cellBreak).map((cell) => {
    const placed = { text: cell, at };
    at += cell.length + cellBreak.length;
    return placed;
  });
}

/** [0, most], [most, 2 × most], … up to `length`. */
function pieces(length: number, most: number): [number, number][] {
  return Array.from({ length: Math.ceil(length / most) }, (_, index) => [
    index * most,
    Math.min((index + 1) * most, length),
  ]);
}

function marked(text: string, marks: readonly TextRange[], from: number, to: number): MarkedText {
  const within = marks
    .map((mark) => ({ from: Math.max(mark.from, from) - from, to: Math.min(mark.to, to) - from }))
    .filter((mark) => mark.to > mark.from);
  return { text: text.slice(from, to), marks: within };
}
