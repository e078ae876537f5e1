import { splitMarkdown } from "./split-markdown.ts";

/** Characters by which lists and quotes may be nested at the beginning of a line. */
const longestPrefix = 60;
/** Signs that may open something, each of which is compared with those before it. */
const mostSigns = { paragraph: 1_500, whole: 15_000 };
/** Cells of one table. */
const mostCells = 5_000;
const mostParagraphs = 5_000;

const fence = /^ {0,3}(?:`{3,}|~{3,})/;
const nesting = /^[\s>*+\-\d.)]*/;
const rule = /^\s*[-*]{3,}\s*$/;

function count(text: string, signs: RegExp): number {
  return text.match(signs)?.length ?? 0;
}

/**
 * Whether Markdown would take seconds to be read, or more stack than there is: nested without end, or full of signs that open
 * something. No page that somebody wrote to be read is.
 */
export function isIntricate(text: string): boolean {
  const paragraphs = splitMarkdown(text).filter((paragraph) => !fence.test(paragraph));
  let signs = 0;
  for (const paragraph of paragraphs) {
    const own = count(paragraph, /[[\]*_`~<&!@]/g);
    if (own > mostSigns.paragraph || count(paragraph, /\|/g) > mostCells) return true;
    signs += own;
    if (paragraph.split("\n").some((line) => (nesting.exec(line)?.[0].length ?? 0) > longestPrefix && !rule.test(line)))
      return true;
  }
  return signs > mostSigns.whole || paragraphs.length > mostParagraphs;
}
