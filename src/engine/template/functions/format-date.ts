import { offsetText, partsAt, type TimeParts } from "./time-parts.ts";
import { unfit } from "./values.ts";

const two = (number: number) => String(number).padStart(2, "0");

function named(parts: TimeParts, language: string, options: Intl.DateTimeFormatOptions): string {
  const at = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
  return written(at, language, { ...options, timeZone: "UTC" });
}

/** A moment as a language writes it. Throws for a language, a zone or options that do not exist. */
function written(at: number, language: string, options: Intl.DateTimeFormatOptions): string {
  try {
    return new Intl.DateTimeFormat(language, options).format(at);
  } catch {
    throw unfit("There is no such language, time zone or option");
  }
}

/** The name of the zone at a moment, such as GMT+2. */
function zoneName(at: number, zone: string, language: string, style: "short" | "long"): string {
  try {
    const format = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: style });
    return format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? zone;
  } catch {
    return zone;
  }
}

const known = new Set(
  "weekday era year month day hour minute second fractionalSecondDigits timeZone timeZoneName hour12 hourCycle dateStyle timeStyle dayPeriod".split(
    " ",
  ),
);

/** A moment as a country writes it, by the options of JavaScript's Intl.DateTimeFormat; `timeZone` among them wins. */
export function showDate(
  at: number,
  language: string,
  options: Readonly<Record<string, unknown>>,
  zone: string,
): string {
  const given = Object.fromEntries(
    Object.entries(options).flatMap(([key, value]) =>
      known.has(key) ? [[key, typeof value === "bigint" ? Number(value) : value]] : [],
    ),
  );
  return written(at, language, { timeZone: zone, ...given });
}

function dayOfYear({ year, month, day }: TimeParts): number {
  return Math.round((Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 0)) / 86_400_000);
}

/** The week of the year by ISO 8601, and the year that it belongs to. */
export function isoWeek(parts: TimeParts): { week: number; year: number } {
  const thursday = new Date(Date.UTC(parts.year, parts.month - 1, parts.day + 4 - parts.weekday));
  const year = thursday.getUTCFullYear();
  return { week: Math.ceil(((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7), year };
}

type Writer = (parts: TimeParts, zone: string, at: number, language: string) => string;

const hour12 = ({ hour }: TimeParts) => hour % 12 || 12;

/** The letters of a pattern, as Unicode's date formats and Luxon have them. */
const writers: Readonly<Record<string, Writer>> = {
  yyyy: ({ year }) => String(year).padStart(4, "0"),
  y: ({ year }) => String(year),
  yy: ({ year }) => two(year % 100),
  kkkk: (parts) => String(isoWeek(parts).year),
  MMMM: (parts, _zone, _at, language) => named(parts, language, { month: "long" }),
  MMM: (parts, _zone, _at, language) => named(parts, language, { month: "short" }),
  MM: ({ month }) => two(month),
  M: ({ month }) => String(month),
  dd: ({ day }) => two(day),
  d: ({ day }) => String(day),
  o: (parts) => String(dayOfYear(parts)),
  ooo: (parts) => String(dayOfYear(parts)).padStart(3, "0"),
  EEEE: (parts, _zone, _at, language) => named(parts, language, { weekday: "long" }),
  EEE: (parts, _zone, _at, language) => named(parts, language, { weekday: "short" }),
  E: ({ weekday }) => String(weekday),
  HH: ({ hour }) => two(hour),
  H: ({ hour }) => String(hour),
  hh: (parts) => two(hour12(parts)),
  h: (parts) => String(hour12(parts)),
  mm: ({ minute }) => two(minute),
  m: ({ minute }) => String(minute),
  ss: ({ second }) => two(second),
  s: ({ second }) => String(second),
  SSS: ({ millisecond }) => String(millisecond).padStart(3, "0"),
  S: ({ millisecond }) => String(millisecond),
  u: ({ millisecond }) => String(millisecond).padStart(3, "0"),
  a: ({ hour }) => (hour < 12 ? "AM" : "PM"),
  WW: (parts) => two(isoWeek(parts).week),
  W: (parts) => String(isoWeek(parts).week),
  q: ({ month }) => String(Math.ceil(month / 3)),
  Z: ({ offset }) => offsetText(offset).replace(/^([+-])0?(\d+):00$/, "$1$2"),
  ZZ: ({ offset }) => offsetText(offset),
  ZZZ: ({ offset }) => offsetText(offset, ""),
  ZZZZ: (_parts, zone, at, language) => zoneName(at, zone, language, "short"),
  ZZZZZ: (_parts, zone, at, language) => zoneName(at, zone, language, "long"),
  z: (_parts, zone) => zone,
  X: (_parts, _zone, at) => String(Math.floor(at / 1000)),
  x: (_parts, _zone, at) => String(at),
  D: (parts, _zone, _at, language) => named(parts, language, { year: "numeric", month: "numeric", day: "numeric" }),
  DD: (parts, _zone, _at, language) => named(parts, language, { year: "numeric", month: "short", day: "numeric" }),
  DDD: (parts, _zone, _at, language) => named(parts, language, { year: "numeric", month: "long", day: "numeric" }),
  DDDD: (parts, _zone, _at, language) =>
    named(parts, language, { year: "numeric", month: "long", day: "numeric", weekday: "long" }),
  t: (parts, _zone, _at, language) => named(parts, language, { hour: "numeric", minute: "2-digit" }),
  tt: (parts, _zone, _at, language) =>
    named(parts, language, { hour: "numeric", minute: "2-digit", second: "2-digit" }),
  T: ({ hour, minute }) => `${two(hour)}:${two(minute)}`,
  TT: ({ hour, minute, second }) => `${two(hour)}:${two(minute)}:${two(second)}`,
};
const same: Readonly<Record<string, string>> = {
  L: "M",
  LL: "MM",
  LLL: "MMM",
  LLLL: "MMMM",
  ccc: "EEE",
  cccc: "EEEE",
  c: "E",
};

/** The pieces of a pattern: runs of one letter, quoted text, anything else. */
export function patternPieces(pattern: string): { letters?: string; text?: string }[] {
  if (pattern.length > 500) throw unfit("The date pattern is too long");
  return [...pattern.matchAll(/'([^']*)'|([A-Za-z])\2*|[^A-Za-z']+/g)].map(([whole, quoted, letter]) =>
    letter === undefined ? { text: quoted ?? whole } : { letters: same[whole] ?? whole },
  );
}

/** A moment by a pattern such as `yyyy-MM-dd HH:mm`. Unknown letters stay as they are. */
export function formatDate(at: number, pattern: string, zone: string, language = "en-US"): string {
  const parts = partsAt(at, zone);
  return patternPieces(pattern)
    .map(({ letters, text }) =>
      letters === undefined ? (text ?? "") : (writers[letters]?.(parts, zone, at, language) ?? letters),
    )
    .join("");
}
