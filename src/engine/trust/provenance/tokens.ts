/** What ends or encloses a part of a sentence. */
const sentence = String.raw`\s"'“”‘’«»‹›„‚()[\]<>,.;:!?…。、，！？；：「」『』（）`;
/** That, and what marks up a word or stands between two. */
const around = String.raw`${sentence}{}\u0060´*_~#|=→-`;
const ofSentence = new RegExp(`[${sentence}]`, "u");
const ofText = new RegExp(`[${around}]`, "u");

/** A word without what stands around it. By characters: an expression that looks from each place to the end takes squared time. */
function trimmed(word: string, outer: RegExp): string {
  let start = 0;
  let end = word.length;
  while (start < end && outer.test(word.charAt(start))) start += 1;
  while (end > start && outer.test(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
}

/** Scripts that write words without blanks between them. */
export const withoutBlanks =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/**
 * The words of a text in their order, each in the forms in which it may be meant: "_admin_" is `admin` to who reads Markdown. An
 * address, a file's name or a date in digits is one word. Nothing is folded but composed letters, so that what only looks alike is
 * another word.
 */
export function wordsOf(text: string): string[][] {
  // "…company.com.They sent": two sentences without a blank between them.
  const apart = text.normalize("NFC").replaceAll(/(?<=[\p{Ll}\d])\.(?=\p{Lu}\p{Ll}+(?:\s|$))/gu, ". ");
  return apart.split(/\s+/u).flatMap((piece) => {
    if (withoutBlanks.test(piece)) return segments(piece).map((word) => [word]);
    const word = trimmed(piece, ofText);
    if (word === "") return [];
    return [[word, trimmed(piece, ofSentence), word.replace(/['’]s$/u, "")]];
  });
}

/** The words of a text as they stand, with what stands around them. */
export function spacedWords(text: string): string[] {
  return text
    .normalize("NFC")
    .split(/\s+/u)
    .flatMap((piece) => (withoutBlanks.test(piece) ? segments(piece) : piece))
    .filter((word) => word !== "");
}

/** What may stand around a value that is meant as it stands. */
const ofValue = /["'“”‘’,;。，；]/u;

/** The words of a value, which is meant as it stands: `_admin` is not `admin`. */
export function valueWords(value: string): string[] {
  return value
    .normalize("NFC")
    .split(/\s+/u)
    .flatMap((piece) => (withoutBlanks.test(piece) ? segments(piece) : trimmed(piece, ofValue)))
    .filter((word) => word !== "");
}

function segments(piece: string): string[] {
  return [...segmenter.segment(piece)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true || !ofSentence.test(segment.charAt(0)) ? [segment] : [],
  );
}

const lettersOnly = /^[\p{L}\p{M}]+$/u;
const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;

/** A word as it is compared: case tells ids apart, and neither names nor addresses of mail. */
export function comparable(word: string): string {
  return lettersOnly.test(word) || email.test(word) ? word.toLowerCase() : word;
}

/** Words that stand in any request, and so choose nothing. */
const common = new Set(
  "all and answer any are anyone anybody back both but can everybody everyone everything for from get has her here him his how its last latest let list mail make message more new next nobody none not now off one our out please post read reply respond send share she show some summarise summarize summary the their them then there they this those to-do update user users was what when where which who will with you your".split(
    " ",
  ),
);

/** Whether finding these words in a request says nothing: single letters, and words that stand in any of them. */
export function isCommonplace(words: readonly string[]): boolean {
  return words.every(
    (word) => /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{1,2}$/u.test(word) || common.has(word),
  );
}

/** Numbers as people write them: "1,200.50", "$12", "19.5%". NaN where it is none. */
export function numberIn(word: string): number {
  const bare = word.replace(/^\p{Sc}(?=[\d.-])/u, "").replace(/(?:%|\p{Sc})$/u, "");
  if (!/^-?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?$/.test(bare) || bare === "" || bare === "-") return Number.NaN;
  return Number(bare.replaceAll(",", ""));
}
