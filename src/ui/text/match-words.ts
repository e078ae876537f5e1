/** Parts of a text between spaces and marks, each with where it begins. */
const wordStart = /[\p{L}\p{N}]+/gu;

function beginsWord(text: string, word: string): boolean {
  for (const { index } of text.matchAll(wordStart)) if (text.startsWith(word, index)) return true;
  return false;
}

/** Found inside of words as well. Short Latin words are not: "rag" is not meant to find "paragraph", nor "date" "update". */
const findsInside = (word: string) => word.length > 4 || !/^[a-z0-9]+$/.test(word);

function matchWord(word: string, title: string, called: string, beside: string): number {
  if (title.startsWith(word)) return 1;
  if (beginsWord(title, word)) return 0.9;
  if (beginsWord(called, word)) return 0.7;
  if (findsInside(word) && title.includes(word)) return 0.6;
  if (beginsWord(beside, word)) return 0.4;
  return findsInside(word) && beside.includes(word) ? 0.3 : 0;
}

/**
 * How well a title, and what is said beside it, answer a search: 1 at best, 0 not at all. Every word of the search has to
 * be found. A title that begins with it comes first, then a word of the title or of what else it is called, then what has it inside, then
 * the rest.
 */
export function matchWords(
  search: string,
  title: string,
  beside: readonly string[] = [],
  called: readonly string[] = [],
): number {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const [own, names, rest] = [title.toLowerCase(), called.join(" ").toLowerCase(), beside.join(" ").toLowerCase()];
  if (words.length === 0 || own.startsWith(words.join(" "))) return 1;
  const found = words.map((word) => matchWord(word, own, names, rest));
  return found.includes(0) ? 0 : found.reduce((sum, score) => sum + score, 0) / (found.length + 0.1);
}
