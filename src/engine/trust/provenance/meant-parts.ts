import { denying, denyingClause, excepting, spanishDenial } from "./denial-words.ts";

/** Where a mail begins that somebody forwards or answers. */
const quotedMail = new RegExp(
  [
    String.raw`^[ \t]*(?:-{2,}[ \t]*(?:forwarded message|original message|weitergeleitete nachricht|ursprüngliche nachricht|message transféré|message d['’]origine|mensaje reenviado|mensaje original)(?!\p{L})`,
    String.raw`(?:on|am|le|el) .{5,120} (?:wrote|schrieb|a écrit|escribió)[^\n:]{0,80}[ \t]?:[ \t]*$`,
    String.raw`(?:from|von|de)[ \t]?:[^\n]+\n(?:[^\n]*\n){0,4}?(?:subject|sent|date|betreff|gesendet|datum|objet|envoyé|asunto|enviado|fecha)[ \t]?:)`,
  ].join("|"),
  "imu",
);
const codeBlock = /^[ \t]*(```|~~~)[^\n]*\n[\s\S]*?\n[ \t]*\1[ \t]*$/gm;
const quotedLine = /^[ \t]*>.*$/gm;

/** A person's text without what he quotes: lines and blocks marked as quoted, and a mail below his own words. */
export function withoutQuotes(text: string): string {
  const mail = text.search(quotedMail);
  return (mail < 0 ? text : text.slice(0, mail)).replaceAll(codeBlock, "\n").replaceAll(quotedLine, "\n");
}

/** Words that turn from what is denied to what is wanted. */
const turning = "but|then|aber|sondern|mais|puis|pero|sino|ma|mas|maar";
const endOfSentence = new RegExp(String.raw`[.!?;…](?=\s|$)|\n|\s(?=(?:${turning})\s)`, "iu");
const endOfClause = new RegExp(String.raw`[.!?;,…](?=\s|$)|\n|\s(?=(?:${turning}|instead)\s)`, "iu");

/** What a person leaves out: from where to where it goes. */
interface LeftOut {
  from: number;
  /** Where the words end that say so. */
  word: number;
  end: RegExp;
}

/** The parts of a text in which a person says what he wants: without whom he excludes and what he denies. */
export function meantParts(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  for (;;) {
    const found = firstLeftOut(rest);
    if (found === undefined) return [...parts, rest];
    parts.push(rest.slice(0, found.from));
    const after = rest.slice(found.word);
    const place = after.search(found.end);
    if (place < 0) return parts;
    rest = after.slice(place);
  }
}

function firstLeftOut(text: string): LeftOut | undefined {
  const following = [
    { match: excepting.exec(text), end: endOfSentence },
    { match: denying.exec(text), end: endOfClause },
    { match: spanishDenial(text), end: endOfClause },
  ].flatMap(({ match, end }) => (match ? [leftOut(match, match.index, end)] : []));
  const clause = denyingClause.exec(text);
  const whole = clause ? [leftOut(clause, startOfClause(text, clause.index), endOfClause)] : [];
  return [...following, ...whole].toSorted((one, other) => one.from - other.from)[0];
}

function leftOut(match: RegExpExecArray, from: number, end: RegExp): LeftOut {
  return { from, word: match.index + match[0].length, end };
}

/** Where the clause begins in which a place is. */
function startOfClause(text: string, place: number): number {
  const ends = [...text.slice(0, place).matchAll(new RegExp(endOfClause, "giu"))];
  const last = ends.at(-1);
  return last ? last.index + last[0].length : 0;
}
