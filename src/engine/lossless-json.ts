import { parse, stringify } from "json-custom-numbers";

/** Only a text with such a run of digits, not after a decimal point, can hold an integer that a double cannot. */
function mayHoldLargeInteger(text: string): boolean {
  // The first pattern is many times quicker than the second, and is enough for most texts.
  return /\d{16}/.test(text) && /(?:^|[^\d.])\d{16}/.test(text);
}

/** The key by which the slower parser would set an object's prototype, in any spelling that JSON allows. */
const prototypeKey =
  /"(?:_|\\u005[Ff]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[Ff])(?:t|\\u0074)(?:o|\\u006[Ff])(?:_|\\u005[Ff]){2}"\s*:/;

const prototypeRefusal = 'The key "__proto__" is not allowed';

const wholeNumber = /^-?(?:0|[1-9]\d*)$/;
/** Characters of the digits that are worked with; longer ones are carried as text alone. */
const maxDigits = 1_000;

/**
 * Whether a text is a whole number, as JSON writes one, that a double cannot hold exactly: one beyond ±(2^53 − 1), of at most
 * 1,000 characters.
 */
export function isLargeInteger(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxDigits && isUnsafe(value);
}

function isUnsafe(literal: string): boolean {
  return literal.length > 15 && wholeNumber.test(literal) && !Number.isSafeInteger(+literal);
}

/**
 * `JSON.parse` for text from outside that loses no digit: an integer beyond ±(2^53 − 1), such as an id, becomes the text of its
 * digits. Numbers with a fraction or an exponent are doubles as ever. Throws a SyntaxError for what is no JSON, and for the key
 * `__proto__` in a text with such digits.
 */
export function parseLosslessJson(text: string): unknown {
  if (!mayHoldLargeInteger(text)) return JSON.parse(text);
  if (prototypeKey.test(text)) throw new SyntaxError(prototypeRefusal);
  return parsed(text, (_key, literal) => (isUnsafe(literal) ? literal : +literal));
}

/** As `parseLosslessJson`, with such integers as bigints, which `stringifyWithBigInts` writes back as they were. */
export function parseWithBigInts(text: string): unknown {
  if (!mayHoldLargeInteger(text)) return JSON.parse(text);
  if (prototypeKey.test(text)) throw new SyntaxError(prototypeRefusal);
  return parsed(text, (_key, literal) => {
    if (!isUnsafe(literal)) return +literal;
    return isLargeInteger(literal) ? BigInt(literal) : literal;
  });
}

function parsed(text: string, readLiteral: (key: unknown, literal: string) => unknown): unknown {
  try {
    return parse(text, undefined, readLiteral);
  } catch {
    // The runtime's own words for what is wrong are those that people know.
    return JSON.parse(text);
  }
}

/** An integer as JSON has it here: a number where that is exact, else its digits as text. */
export function jsonInteger(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** For `JSON.stringify`: bigints as `jsonInteger` writes them. */
export function replaceBigInts(_key: unknown, value: unknown): unknown {
  return typeof value === "bigint" ? jsonInteger(value) : value;
}

/** JSON text for a parser that is not ours, with large integers as texts. What cannot be read comes back as it is. */
export function withLargeIntegersAsText(text: string): string {
  if (!mayHoldLargeInteger(text)) return text;
  try {
    return stringify(parseLosslessJson(text));
  } catch {
    return text;
  }
}

/** `JSON.stringify` for values that may hold bigints, which become bare numbers. */
export function stringifyWithBigInts(value: unknown): string {
  return stringify(value, undefined, undefined, (_key, one: unknown, type) =>
    type === "bigint" ? String(one) : undefined,
  );
}
