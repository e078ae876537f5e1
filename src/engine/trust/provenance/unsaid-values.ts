import type { Json } from "../../json.ts";
import { firstChars } from "../../well-formed.ts";
import type { Place } from "./finished-call.ts";
import { sentenceAround } from "./sentence-around.ts";
import { type UnsaidValue, unsaidLimits } from "./unsaid-value.ts";
import type { JudgedValue } from "./verdict.ts";

/** What came from outside, and from where. */
export interface Arrived {
  value: Json;
  from: Place;
}

/** The values of a question. The first of them are searched in what came from outside; none is left out. */
export function unsaidValues(because: readonly JudgedValue[], arrived: readonly Arrived[]): UnsaidValue[] {
  return because.map(({ path, value, origin }, index) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const from = index < unsaidLimits.placed ? placeOf(text, arrived) : undefined;
    const side = origin === "caller" || origin === "outside" ? origin : from ? "outside" : "unknown";
    return { path, value: firstChars(text, unsaidLimits.value), origin: side, ...(from ? { from } : {}) };
  });
}

function placeOf(text: string, arrived: readonly Arrived[]): UnsaidValue["from"] {
  if (text.trim().length < 2) return undefined;
  for (const { value, from } of arrived.toReversed()) {
    const sentence = sentenceAround(value, text);
    if (sentence === undefined) continue;
    const { callId, title } = from;
    return { ...(callId === undefined ? {} : { callId }), title: firstChars(title, unsaidLimits.title), sentence };
  }
  return undefined;
}
