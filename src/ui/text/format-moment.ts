const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const sameYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", ...time });
const otherYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric", ...time });
const clock = new Intl.DateTimeFormat("en", { ...time, second: "2-digit" });

/** A day and a time, such as "Nov 12, 14:02"; milliseconds since 1970. */
export function formatMoment(at: number, now = Date.now()): string {
  const format = new Date(at).getFullYear() === new Date(now).getFullYear() ? sameYear : otherYear;
  return format.format(at);
}

/** A moment on the clock of a time zone (an IANA name), such as "Mon, Nov 12, 2026, 14:02"; milliseconds since 1970. */
export function formatMomentIn(timeZone: string, at: number): string {
  const day = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
  return new Intl.DateTimeFormat("en", { ...day, ...time, timeZone }).format(at);
}

/** A time of day with milliseconds, for logs. */
export function formatClock(at: number): string {
  return `${clock.format(at)}.${String(at % 1000).padStart(3, "0")}`;
}
