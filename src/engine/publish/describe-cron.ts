import { type CronField, readCron } from "./cron.ts";

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = "January February March April May June July August September October November December".split(" ");

/** Made where it is needed: the first one of a process takes longer than loading a dozen modules. */
function listed(words: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(words);
}

/** When a cron expression of five fields comes due, in words, such as "Every Monday at 08:00"; empty for what is none. */
export function describeCron(text: string): string {
  const read = readCron(text);
  if (!read.ok) return "";
  const [minute, hour, day, month, weekday] = read.cron;
  const days = dayWords(day, month, weekday);
  if (minute !== null && hour !== null && minute.length * hour.length <= 6) {
    const times = hour.flatMap((each) => minute.map((at) => `${two(each)}:${two(at)}`));
    return `${days} at ${listed(times)}`;
  }
  const onDays = days === "Every day" ? "" : `, ${days.charAt(0).toLowerCase()}${days.slice(1)}`;
  return `${minuteWords(minute)}${hourWords(hour)}${onDays}`;
}

const two = (value: number) => String(value).padStart(2, "0");

function minuteWords(minute: CronField): string {
  if (minute === null) return "Every minute";
  const step = stepOf(minute, 60);
  if (step !== undefined) return step === 1 ? "Every minute" : `Every ${step} minutes`;
  if (minute.length === 1) return minute[0] === 0 ? "Every hour" : `Every hour at ${two(minute[0] ?? 0)} minutes past`;
  return `At ${listed(minute.map(String))} minutes past the hour`;
}

function hourWords(hour: CronField): string {
  if (hour === null) return "";
  const [first = 0, ...rest] = hour;
  const last = rest.at(-1) ?? first;
  if (last - first === rest.length) return ` from ${two(first)}:00 to ${two(last)}:59`;
  return ` in the hours ${listed(hour.map(two))}`;
}

function dayWords(day: CronField, month: CronField, weekday: CronField): string {
  const inMonths = month === null ? "" : ` in ${listed(month.map((each) => months[each - 1] ?? ""))}`;
  const monthDays = day === null ? undefined : `on ${day.length === 1 ? "day" : "days"} ${listed(day.map(String))}`;
  const ofMonth = month === null ? " of the month" : "";
  if (weekday === null) {
    return monthDays === undefined ? `Every day${inMonths}` : capital(`${monthDays}${ofMonth}${inMonths}`);
  }
  const names = weekdayWords(weekday);
  // Cron takes a day when either field names it.
  if (monthDays !== undefined) return capital(`${monthDays}${ofMonth} and every ${names}${inMonths}`);
  return `Every ${names}${inMonths}`;
}

function weekdayWords(weekday: readonly number[]): string {
  const key = weekday.join(",");
  if (key === "1,2,3,4,5") return "weekday";
  if (key === "0,1,2,3,4,5,6") return "day";
  // A week begins on Monday.
  const inOrder = weekday.toSorted((one, other) => ((one + 6) % 7) - ((other + 6) % 7));
  return listed(inOrder.map((each) => weekdays[each] ?? ""));
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The distance of numbers that go through a whole hour in equal steps from 0; undefined for others. */
function stepOf(values: readonly number[], length: number): number | undefined {
  const [first, second = length] = values;
  if (first !== 0 || length % second !== 0 || values.length !== length / second) return undefined;
  return values.every((value, index) => value === index * second) && values.length > 1 ? second : undefined;
}
