const months = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const monthPattern = months.map((name) => `${name}|${name.slice(0, 3)}`).join("|");

/** A day as `2024-05-26`, or as `--05-26` where no year is said. */
type Day = string;

const two = (number: number | string) => String(number).padStart(2, "0");

function monthNumber(name: string): string {
  return two(months.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1);
}

const monthFirst = String.raw`\b(${monthPattern})\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4})\b)?`;
const dayFirst = String.raw`\b(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(${monthPattern})\b\.?(?:,?\s+(\d{4})\b)?`;

const anyDay = new RegExp(`${monthFirst}|${dayFirst}`, "gi");

/** A text without the days that it names in English. */
export function withoutDays(text: string): string {
  return text.replaceAll(anyDay, " ");
}

const dayForms: readonly [RegExp, (match: string[]) => [string, string, string | undefined]][] = [
  [new RegExp(monthFirst, "gi"), ([, month = "", day = "", year]) => [month, day, year]],
  [new RegExp(dayFirst, "gi"), ([, day = "", month = "", year]) => [month, day, year]],
];

/** The days that a text names in digits or in English. */
export function daysIn(text: string): Set<Day> {
  const found = new Set<Day>();
  for (const [, year, month, day] of text.matchAll(/(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/g)) {
    found.add(`${year}-${two(month ?? "")}-${two(day ?? "")}`);
  }
  for (const [pattern, parts] of dayForms) {
    for (const match of text.matchAll(pattern)) {
      const [month, day, year] = parts([...match]);
      found.add(`${year ?? "-"}-${monthNumber(month)}-${two(day)}`);
    }
  }
  return found;
}

/** The times of day that a text names, as `13:05`. */
export function timesIn(text: string): Set<string> {
  const found = new Set<string>();
  const pattern = /(?<![\d:.-])(\d{1,2})(?:(?::(\d{2})(?::\d{2})?)(?:\s*([ap])\.?m\b)?|\s*([ap])\.?m\b)(?![\d:-])/gi;
  for (const [, hour = "", minute = "00", half, bareHalf] of text.matchAll(pattern)) {
    const side = (half ?? bareHalf)?.toLowerCase();
    const hours = side === undefined ? Number(hour) : (Number(hour) % 12) + (side === "p" ? 12 : 0);
    if (hours < 24) found.add(`${two(hours)}:${minute}`);
  }
  return found;
}

const numerals = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

const duration = new RegExp(String.raw`\b(\d+(?:\.\d+)?|${numerals.join("|")}|an?|half an?)[\s-]+(hour|minute)`, "gi");

/** The durations that a text names, in minutes. */
export function minutesIn(text: string): Set<number> {
  const found = new Set<number>();
  for (const [, amount = "", unit = ""] of text.matchAll(duration)) {
    const word = amount.toLowerCase();
    const spelled = numerals.indexOf(word);
    const count = word.startsWith("half") ? 0.5 : word.startsWith("a") ? 1 : spelled >= 0 ? spelled : Number(word);
    found.add(count * (unit.toLowerCase() === "hour" ? 60 : 1));
  }
  return found;
}

/** A value that is a moment: its day, and its time of day where it has one. Undefined for any other text. */
export function momentOf(value: string): { day: Day; time: string | undefined } | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(
    value.trim(),
  );
  return match?.[1] === undefined ? undefined : { day: match[1], time: match[2] };
}

/** Whether a day is among those that were said, with or without its year. */
export function isSaidDay(day: Day, said: ReadonlySet<Day>): boolean {
  return said.has(day) || said.has(`-${day.slice(4)}`);
}

/** Minutes between two times of a day. */
export function minutesBetween(start: string, end: string): number {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  return minutes(end) - minutes(start);
}
