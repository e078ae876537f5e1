/**
 * The parts of a text, with case, width and invisible characters out of the way: one word, one character of a script that writes
 * no spaces between words, or one sign. Matches in linear time: each alternative is one class.
 */
function partsOf(text: string): string[] {
  const parts =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}_])+|[^\s\p{L}\p{M}\p{N}_]/gu;
  return (
    text
      .normalize("NFKC")
      .replace(/\p{Cf}/gu, "")
      .toLowerCase()
      .match(parts) ?? []
  );
}

/** Those of the words and phrases that stand in the text as whole words, in any case, each as it was given. */
export function blockedWordsIn(text: string, words: readonly string[]): string[] {
  const byFirst = new Map<string, { word: string; rest: string[] }[]>();
  for (const word of words) {
    const [first, ...rest] = partsOf(word);
    if (first === undefined) continue;
    const others = byFirst.get(first);
    if (others) others.push({ word, rest });
    else byFirst.set(first, [{ word, rest }]);
  }
  const found = new Set<string>();
  const said = partsOf(text);
  for (const [index, part] of said.entries()) {
    for (const { word, rest } of byFirst.get(part) ?? []) {
      if (!found.has(word) && rest.every((next, offset) => said[index + 1 + offset] === next)) found.add(word);
    }
  }
  return words.filter((word) => found.has(word));
}
