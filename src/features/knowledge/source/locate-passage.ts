import type { DocumentSection } from "../../../engine/knowledge/source-document.ts";

/** A part of one of several texts: from the character `from` up to the one before `to`. */
export interface TextRange {
  /** Which text, from 0. */
  text: number;
  from: number;
  to: number;
}

/** The least share of a passage, by letters, that must be found for it to be marked. */
const leastShare = 0.5;

/** Letters that may stand between two parts of a passage and are not of it, such as a running header. */
const longestGap = 2_000;

/** Shorter parts stand in every text. */
const shortestPart = 4;

/**
 * Where a passage stands in texts that follow each other, such as the pieces of a page or the sections of a document; empty where it does
 * not. White space, hyphens, ligatures, accents and upper case make no difference, so that it does not matter how lines were broken, and it
 * may begin in one text and end in another. Of several occurrences the first from the text `near` on is taken.
 */
export function locatePassage(texts: readonly string[], passage: string, near = 0): TextRange[] {
  const read = texts.map(lettersOf);
  const starts = startsOf(read);
  const all = read.join("");
  for (const parts of [[passage], passage.split(/\n\s*\n/), passage.split("\n")]) {
    const wanted = parts.map(lettersOf).filter(({ length }) => length > 0);
    const found = placesOf(wanted, all, starts[near] ?? 0);
    const [length, whole] = [lengthOf(found), wanted.reduce((sum, part) => sum + part.length, 0)];
    if (length > 0 && length >= whole * leastShare) return found.flatMap((span) => rangesIn(span, texts, read, starts));
  }
  return [];
}

/** A passage without the headings that stand between its paragraphs, which are not in the texts of sections. */
export function withoutHeadings(passage: string, sections: readonly Pick<DocumentSection, "headings">[]): string {
  const headings = new Set(sections.flatMap((section) => section.headings));
  const paragraphs = passage.split("\n\n").filter((paragraph) => !headings.has(paragraph));
  return paragraphs.length === 0 ? passage : paragraphs.join("\n\n");
}

/** How many letters of a text are compared. */
export function letterCount(text: string): number {
  return lettersOf(text).length;
}

interface Span {
  from: number;
  to: number;
}

const lengthOf = (spans: readonly Span[]) => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** The longest part says where to look for the others: before and after it, no further away than a passage goes. */
function placesOf(parts: readonly string[], all: string, from: number): Span[] {
  const longest = parts.reduce((best, part, index) => (part.length > (parts[best]?.length ?? 0) ? index : best), 0);
  const anchor = parts[longest];
  if (anchor === undefined) return [];
  const later = all.indexOf(anchor, from);
  const at = later < 0 ? all.indexOf(anchor) : later;
  if (at < 0) return [];
  const spans: Span[] = [{ from: at, to: at + anchor.length }];
  let before = at;
  for (const part of parts.slice(0, longest).toReversed()) {
    if (part.length < shortestPart) continue;
    const start = all.lastIndexOf(part, before - part.length);
    if (before < part.length || start < 0 || before - start - part.length > longestGap) continue;
    spans.unshift({ from: start, to: start + part.length });
    before = start;
  }
  let after = at + anchor.length;
  for (const part of parts.slice(longest + 1)) {
    if (part.length < shortestPart) continue;
    const start = all.indexOf(part, after);
    if (start < 0 || start - after > longestGap) continue;
    after = start + part.length;
    spans.push({ from: start, to: after });
  }
  return spans;
}

function rangesIn(
  span: Span,
  texts: readonly string[],
  read: readonly string[],
  starts: readonly number[],
): TextRange[] {
  return texts.flatMap((text, index): TextRange[] => {
    const [start = 0, length = 0] = [starts[index], read[index]?.length];
    const [first, last] = [Math.max(span.from - start, 0), Math.min(span.to - start, length) - 1];
    return last < first ? [] : [{ text: index, ...charactersOf(text, first, last) }];
  });
}

/** The characters that the letters from `first` to `last` are made of. */
function charactersOf(text: string, first: number, last: number): { from: number; to: number } {
  let letters = 0;
  let at = 0;
  let from = 0;
  for (const character of text) {
    if (letters <= first) from = at;
    at += character.length;
    letters += lettersOfCharacter(character).length;
    if (letters > last) break;
  }
  return { from, to: at };
}

function startsOf(read: readonly string[]): number[] {
  let start = 0;
  return read.map(({ length }) => {
    const own = start;
    start += length;
    return own;
  });
}

/** A text without what a line break, a font or a keyboard changes. Each letter becomes the same by itself and in a text. */
function lettersOf(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\s\p{M}\p{Pd}\p{Cf}]+/gu, "")
    .toUpperCase();
}

const known = new Map<string, string>();

function lettersOfCharacter(character: string): string {
  const letters = known.get(character) ?? lettersOf(character);
  known.set(character, letters);
  return letters;
}
