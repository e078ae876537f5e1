import type { JsonObject } from "../json.ts";
import { estimateTokens } from "../model/estimate-tokens.ts";
import type { DocumentSection } from "./source-document.ts";

/** Neighbouring sections as one. */
export interface JoinedSections {
  sections: readonly DocumentSection[];
  /** Those above all of them. */
  headings: readonly string[];
  /** Their texts, with the headings between them. */
  text: string;
  /** Of the first. */
  metadata: JsonObject;
}

/**
 * Neighbours under the same headings as one section, as long as they have no more than `size` tokens. Only the outermost `depth` headings
 * have to be the same, all of them by default.
 */
export function* joinSections(
  sections: readonly DocumentSection[],
  size: number,
  depth = Infinity,
): Generator<JoinedSections> {
  const open: DocumentSection[] = [];
  let tokens = 0;
  for (const section of sections) {
    const last = open.at(-1);
    const own = estimateTokens(section.text);
    let between = estimateTokens(headingLines(last?.headings ?? section.headings.slice(0, depth), section.headings));
    if (last && (last.alone || section.alone || !sameHeadings(last, section, depth) || tokens + between + own > size)) {
      yield joined(open.splice(0));
      tokens = 0;
      between = estimateTokens(headingLines(section.headings.slice(0, depth), section.headings));
    }
    open.push(section);
    tokens += between + own;
  }
  if (open.length > 0) yield joined(open);
}

/** The headings of a section that those before it are not under, as paragraphs with an empty line after each. */
export function headingLines(before: readonly string[], headings: readonly string[]): string {
  return headings
    .slice(sharedHeadings(before, headings))
    .map((heading) => `${heading}\n\n`)
    .join("");
}

function joined(sections: readonly DocumentSection[]): JoinedSections {
  const first = sections[0]?.headings ?? [];
  const shared = Math.min(...sections.map(({ headings }) => sharedHeadings(first, headings)));
  const headings = first.slice(0, shared);
  const texts = sections.map(
    (section, index) => headingLines(sections[index - 1]?.headings ?? headings, section.headings) + section.text,
  );
  return { sections, headings, text: texts.join("\n\n"), metadata: sections[0]?.metadata ?? {} };
}

/** How many headings two sections have in common, from the outermost on. */
function sharedHeadings(a: readonly string[], b: readonly string[]): number {
  const other = a.findIndex((heading, index) => heading !== b[index]);
  return other < 0 ? a.length : other;
}

function sameHeadings(a: DocumentSection, b: DocumentSection, depth: number): boolean {
  const [own, others] = [a.headings.slice(0, depth), b.headings.slice(0, depth)];
  return own.length === others.length && sharedHeadings(own, others) === own.length;
}
