import {
  asArgument,
  asBase,
  asNumber,
  asText,
  asValue,
  NoExpression,
  type Piece,
  piece,
  quoted,
  special,
} from "./piece.ts";
import { readPattern } from "../../template/functions/pattern.ts";
import { formatted, spanIn } from "./members.ts";

type Kind = Piece["kind"];

/** Methods that are one function with the object first: `text.trim()` → `trim(text)`. */
const plain: Readonly<Record<string, readonly [name: string, gives: Kind]>> = {
  toUpperCase: ["upper", "string"],
  toLowerCase: ["lower", "string"],
  toLocaleUpperCase: ["upper", "string"],
  toLocaleLowerCase: ["lower", "string"],
  trim: ["trim", "string"],
  trimStart: ["trimStart", "string"],
  trimEnd: ["trimEnd", "string"],
  padStart: ["padStart", "string"],
  padEnd: ["padEnd", "string"],
  repeat: ["repeat", "string"],
  includes: ["includes", "bool"],
  startsWith: ["beginsWith", "bool"],
  endsWith: ["finishesWith", "bool"],
  indexOf: ["indexOf", "number"],
  lastIndexOf: ["lastIndexOf", "number"],
  slice: ["slice", "dyn"],
  at: ["at", "dyn"],
  join: ["join", "string"],
  reverse: ["reverse", "list"],
  toReversed: ["reverse", "list"],
  flat: ["flatten", "list"],
  toFixed: ["fixed", "string"],
  // Methods that n8n adds.
  toTitleCase: ["titleCase", "string"],
  first: ["first", "dyn"],
  last: ["last", "dyn"],
  unique: ["unique", "list"],
  removeDuplicates: ["unique", "list"],
  sum: ["sum", "number"],
  max: ["highest", "number"],
  min: ["lowest", "number"],
  compact: ["compact", "list"],
  chunk: ["chunk", "list"],
  toJsonString: ["toJson", "string"],
  parseJson: ["parseJson", "dyn"],
  urlEncode: ["encodeUrl", "string"],
  urlDecode: ["decodeUrl", "string"],
  base64Encode: ["encodeBase64", "string"],
  base64Decode: ["decodeBase64", "string"],
  floor: ["floor", "number"],
  ceil: ["ceil", "number"],
  abs: ["abs", "number"],
  round: ["round", "number"],
  keys: ["keys", "list"],
  values: ["values", "list"],
  hasField: ["hasKey", "bool"],
  removeField: ["without", "map"],
  merge: ["mergeObjects", "map"],
  append: ["append", "list"],
  union: ["append", "list"],
  // The item alone; the list itself was made for it.
  pop: ["last", "dyn"],
  shift: ["first", "dyn"],
};

/** Methods that also take what is missing. */
const forgiving: Readonly<Record<string, (here: string) => Piece>> = {
  isEven: (here) => piece("bool", `(${here}) % 2.0 == 0.0`),
  isOdd: (here) => piece("bool", `(${here}) % 2.0 != 0.0`),
  isEmpty: (here) => piece("bool", `isEmpty(${here})`),
  isNotEmpty: (here) => piece("bool", `!isEmpty(${here})`),
  toNumber: (here) => piece("number", `number(${here})`),
  toFloat: (here) => piece("number", `readNumber(${here})`),
  toInt: (here) => piece("number", `readWhole(${here})`),
  toWholeNumber: (here) => piece("number", `readWhole(${here})`),
  toBoolean: (here) => piece("bool", `!(lower(concat(${here})) in ["false", "no", "0", "", "null", "undefined"])`),
  isNumeric: (here) => piece("bool", `!isNaN(${here})`),
  extractEmail: (here) => piece("dyn", `maybe(findPattern(${here}, "[\\\\w.+-]+@[\\\\w-]+\\\\.[\\\\w.-]+")[0])`),
  extractUrl: (here) => piece("dyn", `maybe(findPattern(${here}, "https?://[^\\\\s<>\\"']+")[0])`),
  extractDomain: (here) =>
    piece("dyn", `maybe(findPattern(${here}, "(?:https?://|@)?(?:[^/\\\\s@]*@)?([\\\\w-]+(?:\\\\.[\\\\w-]+)+)")[1])`),
  isEmail: (here) => piece("bool", `matchesPattern(${here}, "^[^\\\\s@]+@[^\\\\s@]+\\\\.[^\\\\s@]+$")`),
  isUrl: (here) => piece("bool", `matchesPattern(${here}, "^https?://[^\\\\s]+$")`),
  removeTags: (here) => piece("string", `replacePattern(${here}, "<[^>]*>", "", "g")`),
  toSnakeCase: (here) => piece("string", `replacePattern(lower(${here}), "[\\\\s-]+", "_", "g")`),
};

const list = (args: readonly Piece[]) => args.map((one) => `, ${asArgument(one)}`).join("");

/**
 * `object.name(…)` with arguments that are no functions; dates count in `zone` (CEL text). Throws NoExpression for what is
 * not known.
 */
export function method(object: Piece, name: string, args: readonly Piece[], usualZone?: string): Piece {
  const [first, second] = args;
  if (object.special) return specialMethod(object.special, name, args);
  if (object.kind === "date") return dateMethod(object, name, args);
  const here = isTextMethod(name) ? letterOf(asBase(object)) : asBase(object);
  const simple = Object.hasOwn(plain, name) ? plain[name] : undefined;
  if (simple && !args.some((one) => one.special)) return piece(simple[1], `${simple[0]}(${here}${list(args)})`);
  if (name === "toDateTime" || name === "toDate") {
    if (name === "toDate") return piece("date", `date(${here})`, { plain: true });
    if (usualZone === undefined) return piece("date", `date(${here})`);
    return piece("date", `date(${here}, ${usualZone})`, { zone: usualZone });
  }
  const kind = Object.hasOwn(forgiving, name) ? forgiving[name] : undefined;
  if (kind) return kind(["isEmpty", "isNotEmpty"].includes(name) ? asArgument(object) : here);
  const regex = first?.special?.is === "regex" ? checked(first.special) : undefined;
  const pattern = regex && `${quoted(regex.source)}`;
  switch (name) {
    case "hasOwnProperty":
      return piece("bool", `hasKey(${here}${list(args)})`);
    case "toString":
      return piece("string", first ? `inBase(${here}${list([first])})` : `concat(${here})`);
    case "toLocaleString":
      return piece("string", `withCommas(${here}${first ? list([first]) : ""})`);
    case "average":
      return piece("number", `(isEmpty(${here}) ? 0.0 : average(${here}))`);
    case "length":
      return piece("number", `length(${here})`);
    case "splice":
      if (args.length === 1) return piece("list", `slice(${here}${list(args)})`);
      break;
    case "fill":
      if (first && object.kind === "list") return piece("list", `${here}.map(x, ${asValue(first)})`);
      break;
    case "substring":
      return substring(here, first, second);
    case "substr": {
      if (!first) return piece("string", `slice(${here})`);
      const from = asNumber(first);
      const end = second && `${from} + ${asNumber(second)}`;
      return piece("string", end ? `slice(${here}, ${from}, ${end})` : `slice(${here}, ${from})`);
    }
    case "charAt":
      return piece(
        "string",
        `concat(slice(${here}, ${first ? asNumber(first) : "0.0"}, ${first ? asNumber(first) : "0.0"} + 1.0))`,
      );
    case "concat":
      return object.kind === "string"
        ? piece("string", `concat(${[object, ...args].map(asArgument).join(", ")})`)
        : piece("dyn", `(isList(${here}) ? dyn(append(${here}${list(args)})) : dyn(concat(${here}${list(args)})))`);
    case "replace":
    case "replaceAll": {
      if (!first || !second || second.special) break;
      if (!regex) return piece("string", `${name}(${here}${list(args)})`);
      return piece("string", `replacePattern(${here}, ${pattern}, ${asText(second)}${flagsOf(regex.flags)})`);
    }
    case "match":
      if (!regex) break;
      return regex.flags.includes("g")
        ? piece("dyn", `findAllPattern(${here}, ${pattern}${flagsOf(regex.flags)})`)
        : piece("dyn", `findPattern(${here}, ${pattern}${flagsOf(regex.flags)})`);
    case "search":
      break;
    case "split":
      if (regex) return piece("list", `splitPattern(${here}, ${pattern}${flagsOf(regex.flags)})`);
      return piece("list", `split(${here}${list(args)})`);
    case "pluck":
      if (args.length === 1) return piece("list", `pluck(${here}${list(args)})`);
      break;
    case "sort":
    case "toSorted":
      if (args.length === 0) return piece("list", `sort(${here})`);
      break;
    case "format":
    case "toFormat":
      if (first) return piece("string", `formatDate(${here}${list([first])})`);
      break;
    case "toISOString":
    case "toISO":
    case "getTime":
    case "plus":
    case "minus":
    case "toMillis":
    case "startOf":
    case "endOf":
    case "setZone":
    case "isBefore":
    case "isAfter":
      return dateMethod(
        usualZone === undefined
          ? piece("date", `date(${here})`)
          : piece("date", `date(${here}, ${usualZone})`, { zone: usualZone }),
        name,
        args,
      );
    case "valueOf":
      return object;
    default:
  }
  throw new NoExpression(`the method ${name}`);
}

const isTextMethod = (name: string) => ["toUpperCase", "toLowerCase"].includes(name);

/** `text[0]`, which expressions here have of lists alone. */
function letterOf(code: string): string {
  const [, base, index] = /^(.*)\[(\d+)\]$/s.exec(code) ?? [];
  return base === undefined ? code : `get(${base}, ${index})`;
}

/** A regular expression that can be matched in linear time; look-around and back-references cannot. */
function checked<Regex extends { source: string; flags: string }>(regex: Regex): Regex {
  try {
    readPattern(regex.source, regex.flags.replace(/[uyd]/g, ""));
    return regex;
  } catch {
    throw new NoExpression(`the regular expression /${regex.source.slice(0, 60)}/`);
  }
}

function flagsOf(flags: string): string {
  const known = flags.replace(/[uyd]/g, "");
  return known === "" ? "" : `, ${quoted(known)}`;
}

function substring(here: string, from: Piece | undefined, to: Piece | undefined): Piece {
  const start = from?.literal;
  const end = to?.literal;
  const usual =
    typeof start === "number" && start >= 0 && (to === undefined || (typeof end === "number" && end >= start));
  if (usual) return piece("string", `slice(${here}, ${start}${to ? `, ${String(end)}` : ""})`);
  const low = (one: Piece) => `highest(0, ${asArgument(one)})`;
  if (!from) return piece("string", `slice(${here})`);
  if (!to) return piece("string", `slice(${here}, ${low(from)})`);
  const both = `${low(from)}, ${low(to)}`;
  return piece("string", `slice(${here}, lowest(${both}), highest(${both}))`);
}

function specialMethod(is: NonNullable<Piece["special"]>, name: string, args: readonly Piece[]): Piece {
  const [first] = args;
  switch (is.is) {
    case "node":
      if (name === "first" || name === "last" || name === "itemMatching") return special({ is: "item", code: is.code });
      if (name === "all") return special({ is: "all", code: `items(${is.code})` });
      break;
    case "all":
      if (name === "first" || name === "last") return special({ is: "item", code: `${name}(${is.code})` });
      if (name === "slice") return special({ is: "all", code: `slice(${is.code}${list(args)})` });
      if (name === "at" && first) return special({ is: "item", code: `at(${is.code}${list([first])})` });
      if (name === "isEmpty") return piece("bool", `isEmpty(${is.code})`);
      if (name === "toJsonString") return piece("string", `toJson(${asValue(special(is))})`);
      break;
    case "span":
      if (name === "as" && first) return piece("number", spanIn(is, asText(first)));
      if (name === "toObject" || name === "shiftTo") return special(is);
      if (name === "toMillis") return piece("number", spanIn(is, '"milliseconds"'));
      break;
    case "regex":
      if (name === "test" && first)
        return piece("bool", `matchesPattern(${asArgument(first)}, ${quoted(checked(is).source)}${flagsOf(is.flags)})`);
      if (name === "exec" && first)
        return piece("dyn", `findPattern(${asText(first)}, ${quoted(checked(is).source)}${flagsOf(is.flags)})`);
      break;
    default:
  }
  throw new NoExpression(`the method ${name}`);
}

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
function dateMethod(object: Piece, name: string, args: readonly Piece[]): Piece {
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
