import { offsetText, partsAt, type TimeParts } from "./time-parts.ts";
import { unfit } from "./values.ts";

const two = (number: number) => String(number).padStart(2, "0");

function named(parts: TimeParts, options: Intl.DateTimeFormatOptions): string {
  const at = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
  return new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" }).format(at);
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

type Writer = (parts: TimeParts, zone: string, at: number) => string;

const hour12 = ({ hour }: TimeParts) => hour % 12 || 12;

/** The letters of a pattern, as Unicode's date formats and Luxon have them. */
const writers: Readonly<Record<string, Writer>> = {
  yyyy: ({ year }) => String(year).padStart(4, "0"),
  y: ({ year }) => String(year),
  yy: ({ year }) => two(year % 100),
  kkkk: (parts) => String(isoWeek(parts).year),
  MMMM: (parts) => named(parts, { month: "long" }),
  MMM: (parts) => named(parts, { month: "short" }),
  MM: ({ month }) => two(month),
  M: ({ month }) => String(month),
  dd: ({ day }) => two(day),
  d: ({ day }) => String(day),
  o: (parts) => String(dayOfYear(parts)),
  ooo: (parts) => String(dayOfYear(parts)).padStart(3, "0"),
  EEEE: (parts) => named(parts, { weekday: "long" }),
  EEE: (parts) => named(parts, { weekday: "short" }),
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
  z: (_parts, zone) => zone,
  X: (_parts, _zone, at) => String(Math.floor(at / 1000)),
  x: (_parts, _zone, at) => String(at),
  D: (parts) => named(parts, { year: "numeric", month: "numeric", day: "numeric" }),
  DD: (parts) => named(parts, { year: "numeric", month: "short", day: "numeric" }),
  DDD: (parts) => named(parts, { year: "numeric", month: "long", day: "numeric" }),
  DDDD: (parts) => named(parts, { year: "numeric", month: "long", day: "numeric", weekday: "long" }),
  t: (parts) => named(parts, { hour: "numeric", minute: "2-digit" }),
  tt: (parts) => named(parts, { hour: "numeric", minute: "2-digit", second: "2-digit" }),
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
export function formatDate(at: number, pattern: string, zone: string): string {
  const parts = partsAt(at, zone);
  return patternPieces(pattern)
    .map(({ letters, text }) =>
      letters === undefined ? (text ?? "") : (writers[letters]?.(parts, zone, at) ?? letters),
    )
    .join("");
}
