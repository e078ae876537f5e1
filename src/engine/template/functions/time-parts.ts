import { unfit } from "./values.ts";

/** A moment as clocks in a time zone show it. Months from 1; weekday 1 is Monday. */
export interface TimeParts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
  weekday: number;
  /** Minutes that the zone is ahead of UTC. */
  offset: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
      era: "short",
    });
    if (formats.size > 50) formats.clear();
    formats.set(zone, format);
    return format;
  } catch {
    throw unfit(`There is no time zone "${zone}"`);
  }
}

/** How many minutes a zone is ahead of UTC at a moment (milliseconds since 1970). */
export function offsetAt(at: number, zone: string): number {
  const fixed = /^(?:utc|gmt|z)?([+-]\d{1,2})?(?::?(\d{2}))?$/i.exec(zone);
  if (fixed) return Number(fixed[1] ?? 0) * 60 + Math.sign(Number(fixed[1] ?? 0)) * Number(fixed[2] ?? 0);
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const shown = Date.UTC(
    Number(parts.year),
    Number(parts.month) - 1,
    Number(parts.day),
    Number(parts.hour),
    Number(parts.minute),
    Number(parts.second),
  );
  return Math.round((shown - Math.floor(at / 1000) * 1000) / 60_000);
}

/** The moment as shown in the zone. */
export function partsAt(at: number, zone: string): TimeParts {
  const offset = offsetAt(at, zone);
  const local = new Date(at + offset * 60_000);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    millisecond: local.getUTCMilliseconds(),
    weekday: local.getUTCDay() || 7,
    offset,
  };
}

/** The moment at which clocks in the zone show these parts. */
export function momentOf(parts: Omit<TimeParts, "weekday" | "offset">, zone: string): number {
  const shown = Date.UTC(
    parts.year,
    parts.month - 1,
    parts.day,
    parts.hour,
    parts.minute,
    parts.second,
    parts.millisecond,
  );
  const guess = shown - offsetAt(shown, zone) * 60_000;
  return shown - offsetAt(guess, zone) * 60_000;
}

/** `+02:00`. */
export function offsetText(offset: number, separator = ":"): string {
  const size = Math.abs(offset);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${separator}${two(size % 60)}`;
}
