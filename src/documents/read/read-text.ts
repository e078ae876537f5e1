import type { DocumentSection } from "../../engine/knowledge/source-document.ts";

/** Plain text has no structure but its paragraphs, which the chunker finds by itself. */
export function readText(text: string): DocumentSection[] {
  return text.trim() === "" ? [] : [{ headings: [], text }];
}
