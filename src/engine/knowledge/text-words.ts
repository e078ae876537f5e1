const unspaced = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc\p{sc=Thai}\p{sc=Lao}\p{sc=Tibetan}\p{sc=Myanmar}\p{sc=Khmer}\p{sc=Hangul}`;
const pieces = new RegExp(`[${unspaced}][${unspaced}\\p{M}]*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const isUnspaced = new RegExp(`^[${unspaced}]`, "u");

/**
 * The words of a text, in small letters and order. In scripts that put no blanks between words, and in Korean, each pair of
 * neighbouring letters is one, as in `supabase/sql/knowledge/letter-pairs.sql`.
 */
export function textWords(text: string): string[] {
  const found = text.normalize("NFKC").toLowerCase().match(pieces) ?? [];
  return found.flatMap((piece) => (isUnspaced.test(piece) ? pairsOf(piece) : [piece]));
}

function pairsOf(run: string): string[] {
  const letters = run.match(/\P{M}\p{M}*/gu) ?? [];
  return letters.length === 1 ? letters : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
