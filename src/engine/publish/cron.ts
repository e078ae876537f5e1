import type { Schedule } from "./schedule.ts";

/** The five fields in their order: what each is called, its bounds, and names that stand for numbers. */
const fields = [
  { name: "minute", min: 0, max: 59, names: [] },
  { name: "hour", min: 0, max: 23, names: [] },
  { name: "day of the month", min: 1, max: 31, names: [] },
  { name: "month", min: 1, max: 12, names: "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ") },
  { name: "day of the week", min: 0, max: 7, names: "SUN MON TUE WED THU FRI SAT".split(" ") },
] as const;

/** One field: the numbers that it names, in order; null for all of them. Days of the week are 0 (Sunday) to 6. */
export type CronField = readonly number[] | null;

/** A cron expression, read: minute, hour, day of the month, month, day of the week. */
export type Cron = readonly [CronField, CronField, CronField, CronField, CronField];

/**
 * Reads a cron expression of five fields: numbers, ranges, lists, steps and names of months and weekdays. Nothing else is
 * taken, such as seconds, `@daily`, `L` or `#`. Times between 1:00 and 3:00 may occur twice or not at all on two days of a year.
 */
export function readCron(text: string): { ok: true; cron: Cron } | { ok: false; problem: string } {
  const parts = text.trim().split(/\s+/);
  if (text.trim() === "" || parts.length !== fields.length) {
    const problem = "A schedule has five fields: minute, hour, day of the month, month, day of the week.";
    return { ok: false, problem };
  }
  const read: CronField[] = [];
  for (const [index, part] of parts.entries()) {
    const field = readField(part, index);
    if (typeof field === "string") return { ok: false, problem: field };
    read.push(field);
  }
  const [minute = null, hour = null, day = null, month = null, weekday = null] = read;
  return { ok: true, cron: [minute, hour, day, month, weekday] };
}

/** What is wrong with a schedule; undefined when nothing is. */
export function scheduleProblem({ cron, timeZone }: Schedule): string | undefined {
  const read = readCron(cron);
  if (!read.ok) return read.problem;
  return isTimeZone(timeZone) ? undefined : `"${timeZone}" is not a time zone. Use a name such as Europe/Berlin.`;
}

/** Whether a text names a time zone, such as Europe/Berlin or UTC. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The numbers of one field, null for all, or what is wrong with it. */
function readField(text: string, index: number): CronField | string {
  const field = fields[index];
  if (field === undefined || text === "*") return null;
  const found = new Set<number>();
  for (const item of text.split(",")) {
    const [range = "", step, ...more] = item.split("/");
    const stride = step === undefined ? 1 : wholeNumber(step);
    if (more.length > 0 || stride === undefined || stride < 1) return wrong(text, field.name);
    const [from = "", to, ...rest] = range === "*" ? [String(field.min), String(lastOf(field))] : range.split("-");
    const first = valueOf(from, field);
    // A step after one number goes on to the end.
    const last = to === undefined ? (step === undefined ? first : lastOf(field)) : valueOf(to, field);
    if (rest.length > 0 || first === undefined || last === undefined || last < first) return wrong(text, field.name);
    for (let value = first; value <= last; value += stride) found.add(field.max === 7 ? value % 7 : value);
  }
  return [...found].toSorted((one, other) => one - other);
}

type Field = (typeof fields)[number];

/** 7 stands for Sunday too, but no range goes there by itself. */
const lastOf = ({ max }: Field) => (max === 7 ? 6 : max);

function valueOf(text: string, { min, max, names }: Field): number | undefined {
  const named = (names as readonly string[]).indexOf(text.toUpperCase());
  const value = named >= 0 ? named + (max === 12 ? 1 : 0) : wholeNumber(text);
  return value !== undefined && value >= min && value <= max ? value : undefined;
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,2}$/.test(text) ? Number(text) : undefined;
}

function wrong(text: string, name: string): string {
  return `"${text}" is not a valid ${name}.`;
}
