/** Parts of a text between spaces and marks, each with where it begins. */
const wordStart = /[\p{L}\p{N}]+/gu;

function beginsWord(text: string, word: string): boolean {
  for (const { index } of text.matchAll(wordStart)) if (text.startsWith(word, index)) return true;
  return false;
}

function matchWord(word: string, title: string, beside: string): number {
  if (title.startsWith(word)) return 1;
  if (beginsWord(title, word)) return 0.9;
  if (title.includes(word)) return 0.7;
  if (beginsWord(beside, word)) return 0.4;
  return beside.includes(word) ? 0.3 : 0;
}

/**
 * How well a title, and what is said beside it, answer a search: 1 at best, 0 not at all. Every word of the search has to
 * be found. A title that begins with it comes before one that has it inside, and that before what only the rest says.
 */
export function matchWords(search: string, title: string, beside: readonly string[] = []): number {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const [own, rest] = [title.toLowerCase(), beside.join(" ").toLowerCase()];
  if (words.length === 0 || own.startsWith(words.join(" "))) return 1;
  const found = words.map((word) => matchWord(word, own, rest));
  return found.includes(0) ? 0 : found.reduce((sum, score) => sum + score, 0) / (found.length + 0.1);
}
