/** Words that tell a place of a page from others, and that a small change beside it leaves alone. */
const enoughWords = 6;

/** Longer texts are named by how they begin and how they end. */
const shortText = 60;

/**
 * The address of a page at a passage, so that a browser scrolls to it and marks it (Text Fragments, WICG). A browser looks for each
 * text inside one block of the page, and a line of a passage comes from one block.
 */
export function passageAddress(url: string, passage: string): string {
  const lines = passage.split("\n").flatMap((line) => textOfBlock(line));
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return url;
  const short = lines.length === 1 && first.length <= shortText;
  const directive = short ? encode(first) : `${encode(beginning(first))},${encode(ending(last))}`;
  return `${url}${url.includes("#") ? "" : "#"}:~:text=${directive}`;
}

/** The address of a PDF at a page, from 1. */
export function pageAddress(url: string, page: number): string {
  return url.includes("#") ? url : `${url}#page=${page}`;
}

/** What a page shows of a line: without the sign of a list, and the first cell of a row. */
function textOfBlock(line: string): string[] {
  const [cell = ""] = line.replace(/^\s*(?:[-*•]\s+)?/, "").split(" | ");
  const words = cell.trim().replace(/\s+/g, " ");
  return /[\p{L}\p{N}]/u.test(words) ? [words] : [];
}

const beginning = (text: string) => cut(text, (words) => words.slice(0, enoughWords), [0, shortText]);
const ending = (text: string) => cut(text, (words) => words.slice(-enoughWords), [-shortText]);

/** Some words of a text, or some characters where it does not set words apart. */
function cut(text: string, some: (words: string[]) => string[], characters: [number, number?]): string {
  const words = some(text.split(" ")).join(" ");
  return words.length <= shortText * 2 ? words : [...words].slice(...characters).join("");
}

/** `-`, `,` and `&` have a meaning of their own here. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("-", "%2D");
}
