import { formatDate, isoWeek, showDate } from "./format-date.ts";
import type { FunctionTable } from "./function-table.ts";
import { readDate, readDateBy } from "./read-date.ts";
import { momentOf, offsetText, partsAt, type TimeParts } from "./time-parts.ts";
import { isNothing, numberOf, recordOf, textOf, unfit, type Value } from "./values.ts";

const zoneOf = (zone: Value) => (isNothing(zone) || textOf(zone).toUpperCase() === "UTC" ? "UTC" : textOf(zone));
const languageOf = (language: Value) => (isNothing(language) ? "en-US" : textOf(language));

function millisOf(value: Value, zone: Value = undefined): number {
  const at = value instanceof Date ? value.getTime() : typeof value === "number" ? value : undefined;
  const millis = at ?? readDate(textOf(value), zoneOf(zone));
  if (!Number.isFinite(millis) || Math.abs(millis) > 8.64e15) throw unfit("The value is no date");
  return millis;
}

const units = ["year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond"] as const;
type Unit = (typeof units)[number];

const fixed = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1_000,
  millisecond: 1,
} as const;

function unitOf(value: Value): Unit {
  const name = textOf(value).toLowerCase().replace(/s$/, "");
  const unit = units.find((one) => one === name);
  if (!unit) throw unfit(`"${textOf(value).slice(0, 30)}" is no unit of time`);
  return unit;
}

/** A moment moved on by months on the calendar: 31 January and a month is the last of February. */
function monthsOn(at: number, months: number, zone: string): number {
  const parts = partsAt(at, zone);
  const count = parts.year * 12 + parts.month - 1 + months;
  const year = Math.floor(count / 12);
  const month = count - year * 12 + 1;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return momentOf({ ...parts, year, month, day: Math.min(parts.day, last) }, zone);
}

function shifted(at: number, amount: number, unit: Unit, zone: string): number {
  switch (unit) {
    case "year":
      return monthsOn(at, amount * 12, zone);
    case "quarter":
      return monthsOn(at, amount * 3, zone);
    case "month":
      return monthsOn(at, amount, zone);
    case "week":
    case "day": {
      const parts = partsAt(at, zone);
      const days = Math.trunc(amount) * (unit === "week" ? 7 : 1);
      return momentOf({ ...parts, day: parts.day + days }, zone) + (amount - Math.trunc(amount)) * fixed[unit];
    }
    default:
      return at + amount * fixed[unit];
  }
}

function startOf(at: number, unit: Unit, zone: string): number {
  const parts = partsAt(at, zone);
  const day = { ...parts, hour: 0, minute: 0, second: 0, millisecond: 0 };
  switch (unit) {
    case "year":
      return momentOf({ ...day, month: 1, day: 1 }, zone);
    case "quarter":
      return momentOf({ ...day, month: Math.floor((parts.month - 1) / 3) * 3 + 1, day: 1 }, zone);
    case "month":
      return momentOf({ ...day, day: 1 }, zone);
    case "week":
      return momentOf({ ...day, day: parts.day + 1 - parts.weekday }, zone);
    case "day":
      return momentOf(day, zone);
    case "hour":
      return momentOf({ ...day, hour: parts.hour }, zone);
    case "minute":
      return momentOf({ ...parts, second: 0, millisecond: 0 }, zone);
    case "second":
      return at - parts.millisecond;
    case "millisecond":
      return at;
  }
}

/** Whole units between two moments on the calendar of the zone, and the share of the one begun. */
function between(from: number, to: number, unit: Unit, zone: string): number {
  if (to < from) return -between(to, from, unit, zone);
  const length = { year: 12, quarter: 3, month: 1, week: 7, day: 1 } as const;
  if (unit === "hour" || unit === "minute" || unit === "second" || unit === "millisecond")
    return (to - from) / fixed[unit];
  const a = partsAt(from, zone);
  const b = partsAt(to, zone);
  const byMonth = unit === "year" || unit === "quarter" || unit === "month";
  const days = (Date.UTC(b.year, b.month - 1, b.day) - Date.UTC(a.year, a.month - 1, a.day)) / fixed.day;
  const units = byMonth ? (b.year - a.year) * 12 + b.month - a.month : days;
  let whole = Math.floor(units / length[unit]);
  while (whole > 0 && shifted(from, whole, unit, zone) > to) whole -= 1;
  const base = shifted(from, whole, unit, zone);
  return whole + (to - base) / (shifted(from, whole + 1, unit, zone) - base);
}

function part(parts: TimeParts, name: string): number {
  if (name === "weeknumber") return isoWeek(parts).week;
  if (name === "quarter") return Math.ceil(parts.month / 3);
  if (name === "ordinal")
    return Math.round((Date.UTC(parts.year, parts.month - 1, parts.day) - Date.UTC(parts.year, 0, 0)) / 86_400_000);
  const found = Object.entries(parts).find(([key]) => key === name);
  if (!found) throw unfit(`"${name.slice(0, 30)}" is no part of a date`);
  return Number(found[1]);
}

/** The moment with one of its parts set, such as "day" to 31. */
function withPart(at: number, name: string, number: Value, zone: string): number {
  const key = name.toLowerCase().replace(/s$/, "");
  const parts = partsAt(at, zone);
  const wanted = numberOf(number);
  if (key === "weekday") return momentOf({ ...parts, day: parts.day + wanted - parts.weekday }, zone);
  if (!["year", "month", "day", "hour", "minute", "second", "millisecond"].includes(key))
    throw unfit(`"${name.slice(0, 30)}" is no part of a date that can be set`);
  return millisOf(momentOf({ ...parts, [key]: wanted }, zone));
}

export const dateFunctions = {
  date: {
    detail: 'date("2026-01-31T12:00:00Z") → time; takes text, a time or milliseconds',
    takes: [1, 2],
    gives: "google.protobuf.Timestamp",
    run: (value, zone) => new Date(millisOf(value, zone)),
  },
  readDate: {
    detail: 'readDate("31.01.2026", "dd.MM.yyyy", zone?) → time',
    takes: [2, 3],
    gives: "google.protobuf.Timestamp",
    run: (text, pattern, zone) => new Date(readDateBy(textOf(text), textOf(pattern), zoneOf(zone))),
  },
  formatDate: {
    detail: 'formatDate(now, "yyyy-MM-dd HH:mm", "Europe/Berlin"?, "de"?) → text',
    takes: [2, 4],
    gives: "string",
    run: (value, pattern, zone, language) =>
      formatDate(millisOf(value, zone), textOf(pattern), zoneOf(zone), languageOf(language)),
  },
  showDate: {
    detail:
      'showDate(now, "de-DE", {"month": "long", "day": "numeric"}?, "Europe/Berlin"?) → text as a country writes it',
    takes: [1, 4],
    gives: "string",
    run: (value, language, options, zone) =>
      showDate(millisOf(value, zone), languageOf(language), recordOf(options) ?? {}, zoneOf(zone)),
  },
  setDate: {
    detail: 'setDate(now, "hour", 9, zone?) → time with that part; too large a part goes over into the next',
    takes: [3, 4],
    gives: "google.protobuf.Timestamp",
    run: (value, name, number, zone) => new Date(withPart(millisOf(value, zone), textOf(name), number, zoneOf(zone))),
  },
  iso: {
    detail: 'iso(now, "Europe/Berlin"?) → ISO 8601 text',
    takes: [1, 2],
    gives: "string",
    run: (value, zone) => {
      const at = millisOf(value, zone);
      if (zoneOf(zone) === "UTC") return new Date(at).toISOString();
      const { offset } = partsAt(at, zoneOf(zone));
      return new Date(at + offset * 60_000).toISOString().replace("Z", offsetText(offset));
    },
  },
  shiftDate: {
    detail: 'shiftDate(now, -7, "days", zone?) → time',
    takes: [3, 4],
    gives: "google.protobuf.Timestamp",
    run: (value, amount, unit, zone) =>
      new Date(millisOf(shifted(millisOf(value, zone), numberOf(amount), unitOf(unit), zoneOf(zone)))),
  },
  startOf: {
    detail: 'startOf(now, "month", zone?) → time',
    takes: [2, 3],
    gives: "google.protobuf.Timestamp",
    run: (value, unit, zone) => new Date(startOf(millisOf(value, zone), unitOf(unit), zoneOf(zone))),
  },
  endOf: {
    detail: 'endOf(now, "month", zone?) → time',
    takes: [2, 3],
    gives: "google.protobuf.Timestamp",
    run: (value, unit, zone) => {
      const start = startOf(millisOf(value, zone), unitOf(unit), zoneOf(zone));
      return new Date(shifted(start, 1, unitOf(unit), zoneOf(zone)) - 1);
    },
  },
  datePart: {
    detail: 'datePart(now, "weekday", zone?) → number; year, month, day, hour, minute, second, weekNumber …',
    takes: [2, 3],
    gives: "double",
    run: (value, name, zone) => part(partsAt(millisOf(value, zone), zoneOf(zone)), textOf(name).toLowerCase()),
  },
  dateDiff: {
    detail: 'dateDiff(from, to, "days", zone?) → number; days begin as in the zone, in UTC without one',
    takes: [3, 4],
    gives: "double",
    run: (from, to, unit, zone) => between(millisOf(from, zone), millisOf(to, zone), unitOf(unit), zoneOf(zone)),
  },
  millis: {
    detail: "millis(now, zone?) → milliseconds since 1970",
    takes: [1, 2],
    gives: "double",
    run: (value, zone) => millisOf(value, zone),
  },
} as const satisfies FunctionTable;
