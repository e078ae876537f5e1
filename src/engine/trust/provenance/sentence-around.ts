import { isJsonObject, type Json } from "../../json.ts";
import { withoutBlanks } from "./tokens.ts";
import { unsaidLimits } from "./unsaid-value.ts";

/** The sentence around a value in what a call brought, in one line; undefined where it does not stand there. */
export function sentenceAround(value: Json, text: string): string | undefined {
  if (typeof value === "number") return String(value) === text ? text : undefined;
  if (typeof value === "string") return inText(value, text);
  const members = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  for (const member of members) {
    const found = sentenceAround(member, text);
    if (found !== undefined) return found;
  }
  return undefined;
}

const sentenceEnd = /[.!?]\s|\n/g;

function inText(whole: string, text: string): string | undefined {
  const place = placeOfWords(whole.toLowerCase(), text.toLowerCase());
  if (place === undefined) return undefined;
  const around = Math.max(0, Math.floor((unsaidLimits.sentence - text.length - 2) / 2));
  const earliest = Math.max(0, place - around);
  const latest = Math.min(whole.length, place + text.length + around);
  const before = [...whole.slice(earliest, place).matchAll(sentenceEnd)].at(-1);
  const after = whole.slice(place + text.length, latest).search(/[.!?](?:\s|$)|\n/);
  const start = before ? earliest + before.index + before[0].length : earliest;
  const end = after < 0 ? latest : place + text.length + after + 1;
  const cut = whole.slice(start, end).replaceAll(/\s+/gu, " ").trim();
  const most = unsaidLimits.sentence - 2;
  return `${!before && start > 0 ? "…" : ""}${cut.slice(0, most)}${after < 0 && end < whole.length ? "…" : ""}`;
}

/** How often a text may stand in longer words before the search ends. */
const maxParts = 1_000;

/** Where a text first stands by itself, and not as a part of a longer word or number. */
function placeOfWords(whole: string, text: string): number | undefined {
  let place = whole.indexOf(text);
  for (let parts = 0; place >= 0 && parts < maxParts; parts += 1) {
    const end = place + text.length;
    if (!isOneWord(whole, place) && !isOneWord(whole, end)) return place;
    place = whole.indexOf(text, place + 1);
  }
  return undefined;
}

const ofWord = /[\p{L}\p{M}\p{N}]/u;

/** Whether the characters before and after a place belong to one word. */
function isOneWord(text: string, place: number): boolean {
  const around = [text.charAt(place - 1), text.charAt(place)];
  return around.every((character) => ofWord.test(character) && !withoutBlanks.test(character));
}
