import type { DocumentSection } from "../../engine/knowledge/source-document.ts";

/** A piece of text on a page as pdf.js gives it. */
export interface PdfText {
  str: string;
  hasEOL: boolean;
  /** In points; 0 where unknown. */
  height: number;
}

export interface PdfPage {
  /** From 1. */
  page: number;
  items: readonly PdfText[];
}

interface Line {
  text: string;
  height: number;
  page: number;
}

const longestHeading = 120;

/**
 * Sections of a PDF: one per heading, or one per page where there are none. A heading is a short line set at least a
 * sixth larger than most of the text; words that a line break cut are joined again.
 */
export function pdfSections(pages: readonly PdfPage[]): DocumentSection[] {
  const lines = pages.flatMap(linesOf);
  const usual = usualHeight(lines);
  const sections: DocumentSection[] = [];
  let heading: string | null = null;
  let open: Line[] = [];

  const close = () => {
    const text = joined(open.map((line) => line.text));
    const page = open[0]?.page;
    if (text !== "" && page !== undefined) {
      sections.push({ headings: heading === null ? [] : [heading], text, metadata: { page } });
    }
    open = [];
  };
  for (const line of lines) {
    const isHeading = line.height > usual * 1.16 && line.text.length <= longestHeading && /\p{L}/u.test(line.text);
    if (isHeading || (open[0] && open[0].page !== line.page)) close();
    if (isHeading) heading = line.text;
    else open.push(line);
  }
  close();
  return sections;
}

function linesOf({ page, items }: PdfPage): Line[] {
  const lines: Line[] = [];
  let text = "";
  let height = 0;
  for (const item of items) {
    text += item.str;
    if (item.str.trim() !== "") height = Math.max(height, item.height);
    if (!item.hasEOL) continue;
    lines.push({ text: text.trim(), height, page });
    text = "";
    height = 0;
  }
  if (text.trim() !== "") lines.push({ text: text.trim(), height, page });
  return lines;
}

/** The height in which most letters are set. */
function usualHeight(lines: readonly Line[]): number {
  const letters = new Map<number, number>();
  for (const { text, height } of lines) {
    const rounded = Math.round(height * 2) / 2;
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  return [...letters].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

function joined(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/(\p{L})-\n(\p{Ll})/gu, "$1$2")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
