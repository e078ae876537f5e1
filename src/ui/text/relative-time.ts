const steps: readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [7, "day"],
  [4.345, "week"],
  [12, "month"],
  [Infinity, "year"],
];

const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** "3 minutes ago", "yesterday"; times are milliseconds since 1970. */
export function relativeTime(then: number, now: number): string {
  let amount = (then - now) / 1_000;
  if (amount > -45) return "just now";
  for (const [size, unit] of steps) {
    if (Math.abs(amount) < size) return format.format(Math.round(amount), unit);
    amount /= size;
  }
  return "long ago";
}
