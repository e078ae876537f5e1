import { canonicalJson } from "../../engine/canonical-json.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { isPartOf } from "./is-part-of.ts";

/** Whether nothing can be compared with a value: there is none, or it is blank text or an empty list or object. */
export function isBlank(expected: Json | undefined): boolean {
  if (expected === undefined || expected === null) return true;
  if (typeof expected === "string") return plain(expected) === "";
  if (Array.isArray(expected)) return expected.every(isBlank);
  return isJsonObject(expected) && Object.keys(expected).length === 0;
}

/**
 * Whether an answer contains what is expected, as a person would say so. Capitals and the kind and number of spaces do not matter. A number
 * has to be there as a number: 4 is not in 42, and 1000 is in "1,000.00". Of a list every entry has to be there; of an object every
 * field, in an answer that is JSON. `json` is the answer as JSON where it is some.
 */
export function holdsExpected(text: string, json: Json | undefined, expected: Json): boolean {
  if (Array.isArray(expected)) {
    if (Array.isArray(json) && expected.every((entry) => json.some((own) => isPartOf(entry, own)))) return true;
    return expected.filter((entry) => !isBlank(entry)).every((entry) => holdsExpected(text, json, entry));
  }
  if (isJsonObject(expected)) return isPartOf(expected, json);
  const wanted = plain(String(expected));
  const texts = [text, ...textsIn(json)];
  const number = numberOf(wanted);
  if (number !== undefined) return texts.some((each) => numbersIn(each).includes(number));
  return texts.some((each) => includesWhole(plain(each), wanted));
}

/** Whether an answer is what is expected: the same JSON value, or the same text but for spaces around it. */
export function equalsExpected(text: string, json: Json | undefined, expected: Json): boolean {
  if (typeof expected !== "string") return json !== undefined && canonicalJson(json) === canonicalJson(expected);
  return text.trim().normalize("NFC") === expected.trim().normalize("NFC");
}

/** Whether a text is in another one without cutting a number: "order 4" is not in "order 42". */
function includesWhole(text: string, wanted: string): boolean {
  const [startsWithDigit, endsWithDigit] = [/^\d/.test(wanted), /\d$/.test(wanted)];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + wanted.length)];
    const isCut = (startsWithDigit && /\d[.,]?$/.test(before)) || (endsWithDigit && /^[.,]?\d/.test(after));
    if (!isCut) return true;
  }
  return false;
}

/** Text as it is compared: composed, in lower case, with single spaces and straight quotes. */
function plain(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[\s\u200B\uFEFF]+/g, " ")
    .trim()
    .toLowerCase();
}

/** Texts and numbers in a JSON value, at any depth. */
function textsIn(json: Json | undefined): string[] {
  if (Array.isArray(json)) return json.flatMap(textsIn);
  if (isJsonObject(json)) return Object.values(json).flatMap(textsIn);
  return json === undefined || json === null ? [] : [String(json)];
}

/** A number in its shortest writing; undefined for a text that is not one. Digits beyond a double's stay as they are. */
function numberOf(text: string): string | undefined {
  const found = /^([-+]?)0*(\d+)(?:\.(\d+))?$/.exec(text);
  if (!found) return undefined;
  const [, sign = "", whole = "", fraction = ""] = found;
  const decimals = fraction.replace(/0+$/, "");
  const digits = decimals === "" ? whole : `${whole}.${decimals}`;
  return sign === "-" && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/** The numbers that a text names, thousands separated or not. A hyphen inside a word or a range is no minus. */
function numbersIn(text: string): string[] {
  const found = text
    .replace(/\u2212/g, "-")
    .matchAll(
      /(?:(?<![\p{L}\d.,])-)?(?<!\d)(?<!(?<!\p{L})\.)(?:\d{1,3}(?:[,'’\u00A0\u202F]\d{3})+(?!\d)|\d+)(?:\.\d+)*/gu,
    );
  return [...found].flatMap(([written]) => numberOf(written.replace(/[,'’\u00A0\u202F]/g, "")) ?? []);
}
