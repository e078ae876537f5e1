import { formatted, spanIn } from "./members.ts";
import { asArgument, asNumber, asText, asValue, NoExpression, type Piece, piece, quoted, special } from "./piece.ts";

const getters: Readonly<Record<string, string>> = {
  getFullYear: "year",
  getUTCFullYear: "year",
  getDate: "day",
  getUTCDate: "day",
  getHours: "hour",
  getUTCHours: "hour",
  getMinutes: "minute",
  getUTCMinutes: "minute",
  getSeconds: "second",
  getMilliseconds: "millisecond",
};

/** What a date made of another one has of it. */
function kept({ zone, language, uncertain }: Piece): Partial<Piece> {
  return { ...(zone && { zone }), ...(language && { language }), ...(uncertain && { uncertain }) };
}

/** Methods of JavaScript's and Luxon's dates. */
export function dateMethod(object: Piece, name: string, args: readonly Piece[]): Piece {
  const [first, second] = args;
  const here = object.code;
  const zone = object.zone === undefined ? "" : `, ${object.zone}`;
  const keep = kept(object);
  const number = (code: string) => piece("number", code, object.uncertain ? { uncertain: true } : {});
  const getter = Object.hasOwn(getters, name) ? getters[name] : undefined;
  if (getter) return number(`datePart(${here}, ${quoted(getter)}${zone})`);
  switch (name) {
    case "toFormat":
    case "format":
      return formatted(object, first ? asText(first) : '"yyyy-MM-dd"');
    case "toISO":
    case "toJSON":
    case "toString":
      return piece("string", `iso(${here}${zone})`);
    case "toISOString":
      return piece("string", `iso(${here})`);
    case "toISODate":
      return piece("string", `formatDate(${here}, "yyyy-MM-dd"${zone})`);
    case "toISOTime":
      return piece("string", `slice(iso(${here}${zone}), 11)`);
    case "toSQLDate":
      return piece("string", `formatDate(${here}, "yyyy-MM-dd"${zone})`);
    case "toMillis":
    case "getTime":
    case "valueOf":
      return number(`millis(${here})`);
    case "toSeconds":
    case "toUnixInteger":
      return name === "toSeconds" ? number(`millis(${here}) / 1000.0`) : number(`floor(millis(${here}) / 1000.0)`);
    case "getMonth":
    case "getUTCMonth":
      return piece("number", `(datePart(${here}, "month"${zone}) - 1.0)`);
    case "getDay":
    case "getUTCDay":
      return piece("number", `(datePart(${here}, "weekday"${zone}) % 7.0)`);
    case "toLocaleTimeString":
    case "toLocaleDateString":
    case "toLocaleString":
      return shown(object, name, args);
    case "set":
      if (!first?.entries || first.entries.length === 0) break;
      return piece(
        "date",
        first.entries.reduce(
          (date, [part, value]) => `setDate(${date}, ${quoted(part)}, ${asNumber(value)}${zone})`,
          here,
        ),
        keep,
      );
    case "setDate":
    case "setMonth":
    case "setFullYear":
    case "setHours":
    case "setMinutes":
    case "setSeconds":
      return piece("number", `millis(${withParts(object, name, args)})`);
    case "isWeekend":
      return piece("bool", `(datePart(${here}, "weekday"${zone}) > 5.0)`);
    case "isBetween":
      if (first && second)
        return piece(
          "bool",
          `truthy(maybe(lowest(${millisOf(first)}, ${millisOf(second)}) < millis(${here}) && millis(${here}) < highest(${millisOf(first)}, ${millisOf(second)})))`,
        );
      break;
    case "plus":
    case "minus":
      return shifted(object, args, name === "minus");
    case "startOf":
    case "beginningOf":
    case "endOf":
    case "endOfMonth": {
      const end = name.startsWith("endOf");
      const unit = name === "endOfMonth" ? '"month"' : first ? asText(first) : '"week"';
      return piece("date", `${end ? "endOf" : "startOf"}(${here}, ${unit}${zone})`, keep);
    }
    case "setZone":
      if (first) return piece("date", here, { ...keep, zone: asText(first) });
      break;
    case "toUTC":
      return piece("date", here, { ...keep, zone: '"UTC"' });
    case "setLocale":
      return first ? { ...object, language: asText(first) } : object;
    case "toLocal":
    case "toDateTime":
      return object;
    case "toJSDate":
      return piece("date", here, { plain: true });
    case "isBefore":
      if (first) return piece("bool", `truthy(maybe(millis(${here}) < millis(${asArgument(first)})))`);
      break;
    case "isAfter":
      if (first) return piece("bool", `truthy(maybe(millis(${here}) > millis(${asArgument(first)})))`);
      break;
    case "diffNow":
      return special({ is: "span", from: "now", to: here, zone });
    case "diffToNow":
      return piece("number", spanIn({ is: "span", from: "now", to: here, zone }, first ? asText(first) : '"days"'));
    case "diff":
    case "diffTo":
      if (first) {
        const other = asArgument(first);
        if (name === "diffTo")
          return piece(
            "number",
            spanIn({ is: "span", from: other, to: here, zone }, second ? asText(second) : '"days"'),
          );
        return special({ is: "span", from: other, to: here, zone });
      }
      break;
    case "hasSame":
      if (first && second)
        return piece(
          "bool",
          `truthy(maybe(startOf(${here}, ${asText(second)}${zone}) == startOf(${asValue(first)}, ${asText(second)}${zone})))`,
        );
      break;
    default:
  }
  throw new NoExpression(`${name} of a date`);
}

/** JavaScript's setters, which give milliseconds: `setHours(9, 30)`. */
function withParts(object: Piece, name: string, args: readonly Piece[]): string {
  const zone = object.zone === undefined ? "" : `, ${object.zone}`;
  const time = ["hour", "minute", "second", "millisecond"];
  const parts: Readonly<Record<string, readonly string[]>> = {
    setDate: ["day"],
    setMonth: ["month", "day"],
    setFullYear: ["year", "month", "day"],
    setHours: time,
    setMinutes: time.slice(1),
    setSeconds: time.slice(2),
  };
  const names = parts[name] ?? [];
  if (args.length === 0 || args.length > names.length) throw new NoExpression(`${name} of a date`);
  return args.reduce((date, value, at) => {
    const part = names[at] ?? "";
    const number = part === "month" ? `(${asNumber(value)} + 1.0)` : asNumber(value);
    return `setDate(${date}, ${quoted(part)}, ${number}${zone})`;
  }, object.code);
}

function millisOf(one: Piece): string {
  return `millis(${asArgument(one)})`;
}

const text = (value: string) => piece("string", quoted(value), { literal: value });
const optionsOf = (record: Readonly<Record<string, string | boolean>>) =>
  Object.entries(record).map(
    ([key, value]) => [key, typeof value === "string" ? text(value) : piece("bool", String(value))] as const,
  );
const day = { year: "numeric", month: "numeric", day: "numeric" };
const clock = { hour: "numeric", minute: "numeric" };
const longDay = { year: "numeric", month: "long", day: "numeric" };
const seconds = { ...clock, second: "numeric" };
const dateOnly = optionsOf(day);

/** What JavaScript's own dates show where no options say otherwise. */
const usualParts: Readonly<Record<string, readonly (readonly [string, Piece])[]>> = {
  toLocaleDateString: dateOnly,
  toLocaleTimeString: optionsOf(seconds),
  toLocaleString: optionsOf({ ...day, ...seconds }),
};

/** Luxon's names for sets of options. */
const presets: Readonly<Record<string, readonly (readonly [string, Piece])[]>> = Object.fromEntries(
  Object.entries({
    DATE_SHORT: day,
    DATE_MED: { ...day, month: "short" },
    DATE_MED_WITH_WEEKDAY: { ...day, month: "short", weekday: "short" },
    DATE_FULL: longDay,
    DATE_HUGE: { ...longDay, weekday: "long" },
    TIME_SIMPLE: clock,
    TIME_WITH_SECONDS: seconds,
    TIME_WITH_SHORT_OFFSET: { ...seconds, timeZoneName: "short" },
    TIME_24_SIMPLE: { ...clock, hourCycle: "h23" },
    TIME_24_WITH_SECONDS: { ...seconds, hourCycle: "h23" },
    TIME_24_WITH_SHORT_OFFSET: { ...seconds, hourCycle: "h23", timeZoneName: "short" },
    DATETIME_SHORT: { ...day, ...clock },
    DATETIME_SHORT_WITH_SECONDS: { ...day, ...seconds },
    DATETIME_MED: { ...day, month: "short", ...clock },
    DATETIME_MED_WITH_SECONDS: { ...day, month: "short", ...seconds },
    DATETIME_MED_WITH_WEEKDAY: { ...day, month: "short", weekday: "short", ...clock },
    DATETIME_FULL: { ...longDay, ...clock, timeZoneName: "short" },
    DATETIME_HUGE: { ...longDay, weekday: "long", ...clock, timeZoneName: "long" },
  }).map(([name, options]) => [`DateTime.${name}`, optionsOf(options)]),
);

/** `date.toLocaleDateString("de-DE", { month: "long" })`, and Luxon's `toLocaleString(DateTime.DATE_FULL)`. */
function shown(object: Piece, name: string, args: readonly Piece[]): Piece {
  const [first, second] = args;
  const preset = first?.special?.is === "namespace" ? presets[first.special.name] : undefined;
  const luxon = preset !== undefined || (name === "toLocaleString" && object.plain !== true);
  const options = luxon ? (first?.entries ?? preset ?? dateOnly) : second?.entries;
  const language = luxon ? object.language : first && first.kind !== "opt" ? asText(first) : undefined;
  const values = (options ?? []).map(([key, value]) => `${quoted(key)}: ${asValue(value)}`);
  const own = values.every((one) => /^"(?:timeZone|hour12)"/.test(one));
  const usual = own && !luxon ? (usualParts[name] ?? []) : [];
  const record = `{${[...usual.map(([key, value]) => `${quoted(key)}: ${asValue(value)}`), ...values].join(", ")}}`;
  const zone = object.zone === undefined ? "" : `, ${object.zone}`;
  return piece("string", `showDate(${object.code}, ${language ?? '"en-US"'}, ${record}${zone})`);
}

/** The number of units in a length of time, of which a missing one counts nothing. */
export function amountOf(one: Piece): string {
  return one.kind === "opt" || one.kind === "dyn" ? `number(coalesce(${asArgument(one)}, 0))` : asNumber(one);
}

/** `plus({ days: 1 })` and `plus(1, "day")`. */
function shifted(object: Piece, args: readonly Piece[], back: boolean): Piece {
  const [first, second] = args;
  const zone = object.zone === undefined ? "" : `, ${object.zone}`;
  const keep = kept(object);
  const sign = back ? "-" : "";
  const parts: readonly (readonly [string, string])[] =
    first?.duration ??
    (first && first.kind !== "map" ? [[amountOf(first), second ? asText(second) : '"minutes"']] : []);
  if (parts.length === 0) throw new NoExpression("a length of time that is worked out");
  const code = parts.reduce(
    (date, [amount, unit]) => `shiftDate(${date}, ${sign}${amount}, ${unit}${zone})`,
    object.code,
  );
  return piece("date", code, keep);
}
