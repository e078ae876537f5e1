import type { JsonObject } from "../json.ts";
import { estimateTokens } from "../model/estimate-tokens.ts";
import { cutText } from "./cut-text.ts";
import type { Chunking, DocumentSection } from "./source-document.ts";

/** A chunk before it is stored. */
export interface ChunkDraft {
  /** From 0, in the order of the document. */
  position: number;
  /** Headings above it, joined by " › ". */
  heading: string;
  content: string;
  /** Estimated. */
  tokens: number;
  metadata: JsonObject;
}

const headingSeparator = " › ";
/** Characters; of a longer path the innermost headings are kept. */
const longestHeading = 1_000;

/**
 * Cuts a document by its structure, then by size: sections under different headings never share a chunk, those under
 * the same one do (the pages of a chapter), rows of a table stand alone. A generator, so that a caller can pause in
 * long documents.
 */
export function* cutDocument(sections: readonly DocumentSection[], chunking: Chunking): Generator<ChunkDraft> {
  let position = 0;
  for (const { headings, text, metadata = {} } of joinedSections(sections, chunking.size)) {
    const heading = endOf(headings.join(headingSeparator), longestHeading);
    for (const content of cutText(text, chunking)) {
      yield { position, heading, content, tokens: estimateTokens(content), metadata };
      position += 1;
    }
  }
}

/** At most the last `length` characters, none of them cut in two. */
function endOf(text: string, length: number): string {
  return text.slice(-length).replace(/^[\uDC00-\uDFFF]/, "");
}

/** What a chunk's vector is made from: its words and where they stand. */
export function embeddedText({ heading, content }: { heading: string; content: string }): string {
  return heading === "" ? content : `${heading}\n\n${content}`;
}

/** Neighbours under the same headings as one section, as long as they fit into one chunk. */
function* joinedSections(sections: readonly DocumentSection[], size: number): Generator<DocumentSection> {
  const open: DocumentSection[] = [];
  let tokens = 0;
  for (const section of sections) {
    const own = estimateTokens(section.text);
    const last = open.at(-1);
    if (last && (last.alone || section.alone || !sameHeadings(last, section) || tokens + own > size)) {
      yield asOne(open.splice(0));
      tokens = 0;
    }
    open.push(section);
    tokens += own;
  }
  if (open.length > 0) yield asOne(open);
}

/** With the metadata of the first. */
function asOne([first, ...others]: readonly DocumentSection[]): DocumentSection {
  if (!first) return { headings: [], text: "" };
  return { ...first, text: [first, ...others].map((section) => section.text).join("\n\n") };
}

function sameHeadings(a: DocumentSection, b: DocumentSection): boolean {
  return a.headings.length === b.headings.length && a.headings.every((heading, index) => heading === b.headings[index]);
}
