/** English words that say nothing of what a tool does. */
const stopWords = new Set(
  "a an and are as at be by can could do does find for from get give has have how i if in is it its like me my need of on or please show tell that the their there these this to up use using want was what when where which who will with would you your".split(
    " ",
  ),
);

/**
 * The words of a text or a name, for comparison: `getUserById` and "get users by id" have the same. English endings are cut;
 * words of other languages stand as they are.
 */
export function searchTerms(text: string): string[] {
  const apart = text
    .normalize("NFKC")
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  const words = apart.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !stopWords.has(word)).map(stem);
}

function stem(word: string): string {
  if (word.length <= 4) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  const bare = withoutEnding(word);
  return bare.endsWith("e") ? bare.slice(0, -1) : bare;
}

function withoutEnding(word: string): string {
  if (word.endsWith("ss")) return word;
  if (word.endsWith("sses") || (word.endsWith("es") && word.length > 5)) return word.slice(0, -2);
  if (word.endsWith("ing") && word.length > 6) return word.slice(0, -3);
  if (word.endsWith("ed") && word.length > 5) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
