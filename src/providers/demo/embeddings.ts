import { textWords } from "../../engine/knowledge/text-words.ts";

const dimensions = 256;

/** FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** Words and their beginnings, so that "cats" is near "cat"; each counts in a place that its hash chooses. */
function vectorOf(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of textWords(text)) {
    for (const piece of word.length > 3 ? [word, word.slice(0, 4)] : [word]) {
      const place = hash(piece);
      const index = place % dimensions;
      vector[index] = (vector[index] ?? 0) + (place & 0x80000000 ? -1 : 1);
    }
  }
  const length = Math.hypot(...vector);
  // A text without words still needs a direction.
  if (length === 0) return vector.map((_, index) => (index === 0 ? 1 : 0));
  return vector.map((value) => value / length);
}

/** Vectors of the words in texts: no key, no network, the same text gives the same vector. It knows no synonyms. */
export function embedWords(texts: readonly string[]): number[][] {
  return texts.map(vectorOf);
}
