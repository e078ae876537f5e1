/** Where a mail begins that somebody forwards or answers. */
const quotedMail =
  /^[ \t]*(?:-{2,}[ \t]*(?:forwarded message|original message|weitergeleitete nachricht)\b|on .{5,120} wrote:[ \t]*$|from:[^\n]+\n(?:[^\n]*\n){0,4}?(?:subject|sent|date):)/im;
const codeBlock = /^[ \t]*(```|~~~)[^\n]*\n[\s\S]*?\n[ \t]*\1[ \t]*$/gm;
const quotedLine = /^[ \t]*>.*$/gm;

/** A person's text without what he quotes: lines and blocks marked as quoted, and a mail below his own words. */
export function withoutQuotes(text: string): string {
  const mail = text.search(quotedMail);
  return (mail < 0 ? text : text.slice(0, mail)).replaceAll(codeBlock, "\n").replaceAll(quotedLine, "\n");
}

/** Words after which stands who is left out, to the end of the sentence. */
const excepting =
  /\b(?:except(?:\s+for)?|excluding|other\s+than|apart\s+from|(?:all|everyone|everybody|anyone|anybody|nobody|none)\s+but|instead\s+of|rather\s+than)\b/i;
/** Words that deny what follows them, to the end of the clause. */
const denying = /\b(?:not|never|don['’]t)\b(?!\s+(?:only|just|forget|hesitate|miss)\b)/i;
const endOfSentence = /(?:[.!?;…](?=\s|$)|\n|\s(?=(?:but|then)\s))/i;
const endOfClause = /(?:[.!?;,…](?=\s|$)|\n|\s(?=(?:but|then|instead)\s))/i;

/** The parts of a text in which a person says what he wants: without whom he excludes and what he denies. */
export function meantParts(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  for (;;) {
    const [found] = [
      { match: excepting.exec(rest), end: endOfSentence },
      { match: denying.exec(rest), end: endOfClause },
    ]
      .flatMap(({ match, end }) => (match ? [{ from: match.index, word: match[0].length, end }] : []))
      .toSorted((one, other) => one.from - other.from);
    if (found === undefined) return [...parts, rest];
    parts.push(rest.slice(0, found.from));
    const after = rest.slice(found.from + found.word);
    const place = after.search(found.end);
    if (place < 0) return parts;
    rest = after.slice(place);
  }
}
