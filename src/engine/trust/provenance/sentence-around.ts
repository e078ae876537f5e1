import { isJsonObject, type Json } from "../../json.ts";
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
  const place = whole.toLowerCase().indexOf(text.toLowerCase());
  if (place < 0) return undefined;
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
