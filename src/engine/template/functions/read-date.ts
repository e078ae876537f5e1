import { patternPieces } from "./format-date.ts";
import { momentOf } from "./time-parts.ts";
import { unfit } from "./values.ts";

const iso =
  /^([+-]?\d{4,6})(?:-?(\d{2})(?:-?(\d{2}))?)?(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Milliseconds since 1970 of an ISO 8601 text; one without an offset counts in `zone`. Undefined when it is none. */
function readIso(text: string, zone: string): number | undefined {
  const found = iso.exec(text.trim());
  if (!found) return undefined;
  const [, year, month = "1", day = "1", hour = "0", minute = "0", second = "0", fraction = "", offset] = found;
  const parts = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.padEnd(3, "0").slice(0, 3)),
  };
  const days = new Date(Date.UTC(parts.year, parts.month, 0)).getUTCDate();
  if (parts.month < 1 || parts.month > 12 || parts.day < 1 || parts.day > days) return undefined;
  if (parts.hour > 24 || parts.minute > 59 || parts.second > 59) return undefined;
  return momentOf(parts, offset === undefined ? zone : offset.toUpperCase() === "Z" ? "UTC" : offset);
}

/** A text as a moment: ISO 8601, or what JavaScript reads. */
export function readDate(text: string, zone: string): number {
  const at =
    readIso(text, zone) ??
    Date.parse(/[a-z]/i.test(text) && !/gmt|utc|z\b|[+-]\d{2}:?\d{2}/i.test(text) ? `${text} UTC` : text);
  if (!Number.isFinite(at)) throw unfit("The text is no date");
  return at;
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

type Parts = Parameters<typeof momentOf>[0] & { pm?: boolean; zone?: string; at?: number };

const readers: Readonly<Record<string, [RegExp, (parts: Parts, text: string) => void]>> = {
  yyyy: [/^\d{4}/, (parts, text) => void (parts.year = Number(text))],
  yy: [/^\d{2}/, (parts, text) => void (parts.year = Number(text) + (Number(text) > 60 ? 1900 : 2000))],
  MM: [/^\d{2}/, (parts, text) => void (parts.month = Number(text))],
  M: [/^\d{1,2}/, (parts, text) => void (parts.month = Number(text))],
  MMM: [/^[A-Za-z]{3}/, (parts, text) => void (parts.month = months.indexOf(text.toLowerCase()) + 1)],
  MMMM: [/^[A-Za-z]+/, (parts, text) => void (parts.month = months.indexOf(text.slice(0, 3).toLowerCase()) + 1)],
  dd: [/^\d{2}/, (parts, text) => void (parts.day = Number(text))],
  d: [/^\d{1,2}/, (parts, text) => void (parts.day = Number(text))],
  HH: [/^\d{2}/, (parts, text) => void (parts.hour = Number(text))],
  H: [/^\d{1,2}/, (parts, text) => void (parts.hour = Number(text))],
  hh: [/^\d{2}/, (parts, text) => void (parts.hour = Number(text))],
  h: [/^\d{1,2}/, (parts, text) => void (parts.hour = Number(text))],
  mm: [/^\d{2}/, (parts, text) => void (parts.minute = Number(text))],
  m: [/^\d{1,2}/, (parts, text) => void (parts.minute = Number(text))],
  ss: [/^\d{2}/, (parts, text) => void (parts.second = Number(text))],
  s: [/^\d{1,2}/, (parts, text) => void (parts.second = Number(text))],
  SSS: [/^\d{3}/, (parts, text) => void (parts.millisecond = Number(text))],
  a: [/^[AaPp]\.?[Mm]\.?/, (parts, text) => void (parts.pm = /^p/i.test(text))],
  EEE: [/^[A-Za-z]{3}/, () => {}],
  EEEE: [/^[A-Za-z]+/, () => {}],
  Z: [/^[+-]\d{1,2}(?::\d{2})?/, (parts, text) => void (parts.zone = text)],
  ZZ: [/^[+-]\d{2}:\d{2}/, (parts, text) => void (parts.zone = text)],
  ZZZ: [/^[+-]\d{4}/, (parts, text) => void (parts.zone = text)],
  X: [/^\d+/, (parts, text) => void (parts.at = Number(text) * 1000)],
  x: [/^\d+/, (parts, text) => void (parts.at = Number(text))],
};

/** A text as a moment by a pattern such as `dd.MM.yyyy`. */
export function readDateBy(text: string, pattern: string, zone: string): number {
  const parts: Parts = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 };
  let rest = text;
  for (const { letters, text: literal = "" } of patternPieces(pattern)) {
    const reader = letters === undefined ? undefined : readers[letters];
    const found = reader
      ? reader[0].exec(rest)?.[0]
      : rest.startsWith(literal || (letters ?? ""))
        ? literal || letters
        : undefined;
    if (found === undefined) throw unfit("The text does not fit the date pattern");
    reader?.[1](parts, found);
    rest = rest.slice(found.length);
  }
  if (rest !== "" || parts.month < 1 || parts.month > 12) throw unfit("The text does not fit the date pattern");
  if (parts.at !== undefined) return parts.at;
  if (parts.pm !== undefined) parts.hour = (parts.hour % 12) + (parts.pm ? 12 : 0);
  return momentOf(parts, parts.zone ?? zone);
}
