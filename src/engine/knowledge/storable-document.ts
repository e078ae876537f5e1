import { visibleName } from "../text/visible-name.ts";
import type { DocumentKind, DocumentSection, SourceDocument } from "./source-document.ts";

/** Characters of one document's text; some 4,000 pages. */
export const maxTextLength = 10_000_000;

/** Bytes of one document's sections as JSON; the database refuses 32 MiB, with some spaces of its own. */
const mostStored = 30_000_000;

/** A document that a collection can keep, or why it cannot. */
export type Storable = { ok: true; document: SourceDocument } | { ok: false; message: string; hint: string };

/** What was read, as it can be stored: without characters that Postgres refuses, and within the limits. */
export function storableDocument(read: SourceDocument): Storable {
  const { name, kind, sections } = read;
  const length = sections.reduce((sum, section) => sum + section.text.length, 0);
  if (length === 0) return empty(name, kind);
  if (length > maxTextLength) return tooLong(name, `of at most ${maxTextLength / 1e6} million characters`);
  const cleaned = sections.map(clean);
  if (storedBytes(cleaned) > mostStored) return tooLong(name, "or leave out rows or entries");
  return { ok: true, document: { ...read, name: visibleName(plain(name.slice(0, 500))), sections: cleaned } };
}

/** Postgres takes no NUL in a text, and no half of a character that has two. */
function plain(text: string): string {
  return text
    .replaceAll("\0", "")
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .replace(/\r\n?/g, "\n");
}

function clean(section: DocumentSection): DocumentSection {
  return { ...section, headings: section.headings.map(plain), text: plain(section.text) };
}

/** About what the database gets to keep; counted exactly only near the limit, since counting writes all of it. */
function storedBytes(sections: readonly DocumentSection[]): number {
  const headings = (section: DocumentSection) => section.headings.reduce((sum, { length }) => sum + length, 0);
  const least = sections.reduce((sum, section) => sum + 30 + section.text.length + headings(section), 0);
  if (least * 4 < mostStored || least > mostStored) return least;
  return new TextEncoder().encode(JSON.stringify(sections)).length;
}

/** `how` says into what to split it. */
function tooLong(name: string, how: string): Storable {
  return { ok: false, message: `"${name}" is too long.`, hint: `Split it into several documents ${how}.` };
}

function empty(name: string, kind: DocumentKind): Storable {
  const hint =
    kind === "html"
      ? "Its words may be made by scripts, which are not run. Save the page as it is shown, or paste its text."
      : "Add a file or a page that contains text.";
  return { ok: false, message: `"${name}" contains no text.`, hint };
}
