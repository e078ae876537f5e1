import { estimateTokens } from "../model/estimate-tokens.ts";
import { cutText } from "./cut-text.ts";

/** A table in a text: lines of cells. */
interface TextTable {
  /** Its caption and the names of its columns. */
  head: string;
  /** Where the rows below these begin and end. */
  from: number;
  to: number;
}

interface Line {
  text: string;
  at: number;
}

/** Rows that a table has at least, the names of its columns included. */
const fewestRows = 3;

/** Characters of a line that can be a caption. */
const maxCaptionChars = 300;

/** A word and a number at the beginning of a line: "Table 2: Prices", "表1：价格". */
const numbered = /^\p{L}{1,12}\.?\s?\d+(?:[.-]\d+)*\s*[.:)：–—-]\s*\S/u;

/** The line below the names of columns in Markdown. */
const rule = /^[\s|:-]+$/;

const isRow = ({ text }: Line) => text.includes(" | ");
const isBlank = (line: Line | undefined) => line !== undefined && line.text.trim() === "";

/** As `cutText`, with the caption and the names of columns above rows that are cut off from them. */
export function* cutTables(text: string, sizes: { size: number; overlap: number }): Generator<string> {
  const fits = estimateTokens(text) <= sizes.size;
  const tables = fits ? [] : tablesIn(text).filter(({ head }) => estimateTokens(head) <= sizes.size / 3);
  const room = Math.max(0, ...tables.map(({ head }) => estimateTokens(`${head}\n`)));
  let next = 0;
  for (const piece of cutText(text, { ...sizes, size: sizes.size - room })) {
    const start = text.indexOf(piece, next);
    next = start + 1;
    const table = tables.find(({ from, to }) => start >= from && start < to);
    yield table === undefined ? piece : `${table.head}\n${piece}`;
  }
}

function tablesIn(text: string): TextTable[] {
  if (!text.includes(" | ")) return [];
  const lines = linesOf(text);
  const tables: TextTable[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    let end = index;
    while (end < lines.length && isRow(lines[end] ?? { text: "", at: 0 })) end += 1;
    if (end - index >= fewestRows) tables.push(tableOf(lines, index, end, text.length));
    index = Math.max(index, end - 1);
  }
  return tables;
}

function tableOf(lines: readonly Line[], start: number, end: number, length: number): TextTable {
  const names = rule.test(lines[start + 1]?.text ?? "") ? 2 : 1;
  const head = [captionAbove(lines, start), ...lines.slice(start, start + names).map(({ text }) => text)];
  return {
    head: head.filter((line) => line !== "").join("\n"),
    from: lines[start + names]?.at ?? length,
    to: lines[end]?.at ?? length,
  };
}

/** The line right above a table, or a numbered one with an empty line between; empty where there is none. */
function captionAbove(lines: readonly Line[], start: number): string {
  const above = lines[start - 1];
  const caption = isBlank(above) ? lines[start - 2] : above;
  const stands = caption !== above ? isBlank(lines[start - 3] ?? above) && numbered.test(caption?.text ?? "") : true;
  return caption && stands && caption.text.length <= maxCaptionChars ? caption.text.trim() : "";
}

function linesOf(text: string): Line[] {
  let at = 0;
  return text.split("\n").map((line) => {
    const placed = { text: line, at };
    at += line.length + 1;
    return placed;
  });
}
