import type { JsonObject } from "../json.ts";
import { estimateTokens } from "../model/estimate-tokens.ts";
import type { Chunking } from "./chunking.ts";
import { cutTables } from "./cut-tables.ts";
import { cutText } from "./cut-text.ts";
import { headingLines, joinSections, type JoinedSections } from "./join-sections.ts";
import type { DocumentSection } from "./source-document.ts";
import type { ParentPlace } from "./stored-documents.ts";

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
  /** Absent where a search gives the chunk itself. */
  parent?: ParentPlace;
}

const headingSeparator = " › ";
/** Characters; of a longer path the innermost headings are kept. */
const longestHeading = 1_000;

/**
 * Cuts a document by its structure, then by size. Rows of a table stand alone. What stands under different headings never shares a
 * chunk, unless these are further down than the depth to which documents are split by headings or into parents. A generator, so that a
 * caller can pause in long documents.
 */
export function* cutDocument(sections: readonly DocumentSection[], chunking: Chunking): Generator<ChunkDraft> {
  const { size, split } = chunking;
  let first = 0;
  for (const joined of joinSections(sections, size, split?.depth)) {
    const families = split?.by === "parents" ? parentsOf(joined, size, split.child) : single(joined, chunking);
    for (const family of families) {
      yield* family.map(({ lead, ...chunk }, index) => ({
        ...chunk,
        position: first + index,
        ...(family.length > 1 ? { parent: { first, lead } } : {}),
      }));
      first += family.length;
    }
  }
}

/** The chunks of one parent, in order. */
type Family = readonly (Omit<ChunkDraft, "position" | "parent"> & Pick<ParentPlace, "lead">)[];

/** Each chunk by itself. */
function* single({ headings, text, metadata }: JoinedSections, { split, ...sizes }: Chunking): Generator<Family> {
  const contents = split === undefined ? cutTables(text, sizes) : cutIfTooLong(text, sizes);
  for (const content of contents) yield [chunkOf(headings, content, metadata, "")];
}

/** Parents and their chunks: sections that fit into one, or the parts of a section that does not. */
function* parentsOf({ sections, headings }: JoinedSections, size: number, child: number): Generator<Family> {
  const [only, ...others] = sections;
  if (only === undefined) return;
  if (others.length > 0) yield [...childrenOf(sections, headings, child)];
  else {
    for (const text of cutIfTooLong(only.text, { size, overlap: 0 })) {
      yield [...childrenOf([{ ...only, text }], headings, child)];
    }
  }
}

/** The chunks of a parent that stands under some headings. What each `lead` and content hold is the parent's text. */
function* childrenOf(
  sections: readonly DocumentSection[],
  above: readonly string[],
  size: number,
): Generator<Family[number]> {
  let before: readonly string[] | null = null;
  for (const { headings, text, metadata } of joinSections(sections, size)) {
    let lead = (before === null ? "" : "\n\n") + headingLines(before ?? above, headings);
    before = headings;
    let end = 0;
    for (const content of cutIfTooLong(text, { size, overlap: 0 }, cutText)) {
      const start = text.indexOf(content, end);
      if (end > 0) lead = text.slice(end, start);
      yield chunkOf(headings, content, metadata, lead);
      end = start + content.length;
    }
  }
}

function* cutIfTooLong(text: string, sizes: { size: number; overlap: number }, cut = cutTables): Generator<string> {
  if (estimateTokens(text) > sizes.size) yield* cut(text, sizes);
  else if (text.trim() !== "") yield text.trim();
}

function chunkOf(headings: readonly string[], content: string, metadata: JsonObject, lead: string): Family[number] {
  const heading = endOf(headings.join(headingSeparator), longestHeading);
  return { heading, content, tokens: estimateTokens(content), metadata, lead };
}

/** At most the last `length` characters, none of them cut in two. */
function endOf(text: string, length: number): string {
  return text.slice(-length).replace(/^[\uDC00-\uDFFF]/, "");
}

/** What a chunk's vector is made from: its words and where they stand. */
export function embeddedText({ heading, content }: { heading: string; content: string }): string {
  return heading === "" ? content : `${heading}\n\n${content}`;
}
