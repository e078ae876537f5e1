import type { Json } from "../../json.ts";
import { addressesIn } from "../provenance/addresses.ts";
import { KnownText } from "../provenance/known-text.ts";
import { isSaidDay } from "../provenance/moments.ts";
import { sentenceAround } from "../provenance/sentence-around.ts";
import { writtenNumbers } from "./written-numbers.ts";

/** The kinds of values that may be taken from a text of strangers: none of them has room for an instruction. */
export const shortTypes = ["email", "url", "date", "amount", "number", "id", "name", "choice"] as const;
export type ShortType = (typeof shortTypes)[number];

/** Characters of a value. */
export const maxShortValueChars = 80;

/** A value of its type, or what is wrong with it, in words for a model. */
export type ReadValue = { ok: true; value: string | number } | { ok: false; reason: string };

/** A text in which values are looked up, as the tool gave it. */
export class SourceText {
  readonly value: Json;
  private readonly known = new KnownText();
  private addresses: ReadonlySet<string> | undefined;
  private numbers: ReadonlyMap<number, string> | undefined;

  constructor(value: Json) {
    this.value = value;
    this.known.add(value);
  }

  /** Whether these words stand there, whole and in this order. */
  holds(text: string): boolean {
    return this.known.holds(text);
  }

  /** Whether it is one of the addresses there: none that only begins or ends like it. */
  holdsAddress(address: string): boolean {
    this.addresses ??= new Set(addressesIn(JSON.stringify(this.value)).map((each) => each.toLowerCase()));
    return this.addresses.has(address.toLowerCase()) && this.holds(address);
  }

  holdsNumber(number: number): boolean {
    return this.known.said.numbers.has(number) || this.written().has(number);
  }

  /** The sentence around a value as a model wrote it; undefined where it stands there in another form, as dates do. */
  sentenceWith(written: string): string | undefined {
    const other = this.written().get(Number(written));
    return sentenceAround(this.value, written) ?? (other === undefined ? undefined : sentenceAround(this.value, other));
  }

  private written(): ReadonlyMap<number, string> {
    this.numbers ??= writtenNumbers(this.value);
    return this.numbers;
  }

  holdsDay(day: string): boolean {
    return isSaidDay(day, this.known.said.days);
  }
}

/** Visible ASCII alone: a letter of another alphabet that looks the same makes another address. */
const visibleAscii = /^[!-~]+$/;
const mail = /^[\w.%+-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i;
const punycode = /(?:^|[@./])xn--/i;
/** One word; an account in groups; a telephone number. */
const identifier = /^(?:[A-Za-z\d][\w.:/#-]*|[A-Z]{2}\d{2}(?: ?[A-Z\d]{1,4}){2,8}|\+?\d[\d ()./-]*)$/;
const personOrPlace = /^[\p{L}\d][\p{L}\p{M}\d .,'’&()-]*$/u;
const mostNameWords = 6;
/** Letters of words, without those of phonetics and mathematics, which look like them. */
const latin = /[A-Za-z\u00c0-\u017e\u1e00-\u1eff]/u;
const foreignLetter = /(?![A-Za-z\u00c0-\u017e\u1e00-\u1eff])\p{L}/u;

/** Reads a value as a model wrote it. It has to be short, of its type, and in the text; a choice, one of those that the tool names. */
export function readShortValue(
  written: string,
  type: ShortType,
  text: SourceText,
  choices: readonly string[],
): ReadValue {
  const value = written.trim().normalize("NFC");
  if (value === "") return { ok: false, reason: "It is not in the text." };
  if (value.length > maxShortValueChars)
    return { ok: false, reason: `It has more than ${maxShortValueChars} characters.` };
  const wrong: ReadValue = { ok: false, reason: `It is no ${type} that can be confirmed.` };
  const inText = (isThere: boolean, read: string | number = value): ReadValue =>
    isThere ? { ok: true, value: read } : { ok: false, reason: "It does not stand in the text in this form." };
  switch (type) {
    case "email":
      return mail.test(value) && !punycode.test(value) ? inText(text.holdsAddress(value)) : wrong;
    case "url":
      return isPlainLink(value) ? inText(text.holdsAddress(value)) : wrong;
    case "date":
      return isDay(value) ? inText(text.holdsDay(value)) : wrong;
    case "amount":
    case "number": {
      const number = Number(value);
      const isOfType = /^-?\d+(?:\.\d+)?$/.test(value) && (type === "number" || number > 0);
      return isOfType ? inText(text.holdsNumber(number), number) : wrong;
    }
    case "id":
      return identifier.test(value) && /\d/.test(value) ? inText(text.holds(value)) : wrong;
    case "name":
      return isName(value) ? inText(text.holds(value)) : wrong;
    case "choice":
      return choices.includes(value) ? { ok: true, value } : wrong;
    default:
      return type satisfies never;
  }
}

/** Whether a value has other letters than those of Latin alphabets: "Асме" can be written in Cyrillic letters alone. */
export function hasForeignLetters(value: string | number): boolean {
  return foreignLetter.test(String(value));
}

function isPlainLink(value: string): boolean {
  if (!visibleAscii.test(value) || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const { username, password, hostname } = new URL(value);
  return username === "" && password === "" && !punycode.test(hostname) && !value.includes("\\");
}

function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true;
}

function isName(value: string): boolean {
  const isMixed = latin.test(value) && foreignLetter.test(value);
  const isPlain = value === value.normalize("NFKC");
  return personOrPlace.test(value) && isPlain && !isMixed && value.split(/\s+/u).length <= mostNameWords;
}
