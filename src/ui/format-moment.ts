const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const sameYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", ...time });
const otherYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric", ...time });
const clock = new Intl.DateTimeFormat("en", { ...time, second: "2-digit" });

/** A day and a time, such as "Nov 12, 14:02"; milliseconds since 1970. */
export function formatMoment(at: number, now = Date.now()): string {
  const format = new Date(at).getFullYear() === new Date(now).getFullYear() ? sameYear : otherYear;
  return format.format(at);
}

/** A time of day with milliseconds, for logs. */
export function formatClock(at: number): string {
  return `${clock.format(at)}.${String(at % 1000).padStart(3, "0")}`;
}
