import type { Json } from "../../engine/json.ts";

/**
 * What code in the sandbox may ask of the host, since QuickJS has none of it: formats and orders of languages, addresses,
 * encodings and random bytes. Each answer is a pure function of texts and numbers (but for random bytes and the host's own
 * language and time zone); no object of the host gets inside. Bytes are texts with one character a byte.
 */
const questions: Record<string, (...input: Json[]) => Json> = {
  intl: (kind, locales, options, method, ...values) => {
    const make = own(formats, text(kind));
    if (!make) throw new TypeError(`There is no Intl.${text(kind)}.`);
    const key = JSON.stringify([kind, locales, options]);
    const methods = kept(keptFormats, key, () => make(localesOf(locales), optionsOf(options)));
    const answer = own(methods, text(method));
    if (!answer) throw new TypeError(`Intl.${text(kind)} has no ${text(method)}.`);
    return answer(...values);
  },
  locales: (name, given, options) => {
    if (name === "getCanonicalLocales") return Intl.getCanonicalLocales(localesOf(given));
    if (name === "supportedValuesOf") return Intl.supportedValuesOf(text(given) as "currency");
    const kind = Intl[text(name) as "NumberFormat"] as {
      supportedLocalesOf?: typeof Intl.NumberFormat.supportedLocalesOf;
    };
    if (!own(formats, text(name)) || !kind.supportedLocalesOf) throw new TypeError(`There is no Intl.${text(name)}.`);
    return kind.supportedLocalesOf(localesOf(given) ?? [], optionsOf(options));
  },
  ranks: (key, words) => {
    const { compare } = collatorOf(text(key));
    const all = texts(words, mostRanked);
    const order = all.map((_, index) => index).toSorted((a, b) => compare(all[a] ?? "", all[b] ?? ""));
    const ranks = all.map(() => 0);
    let rank = 0;
    for (const [place, index] of order.entries()) {
      if (place > 0 && compare(all[order[place - 1] ?? 0] ?? "", all[index] ?? "") !== 0) rank += 1;
      ranks[index] = rank;
    }
    return ranks;
  },
  date: (time, method, locales, options) => {
    const date = new Date(number(time));
    switch (method) {
      case "toLocaleDateString":
        return date.toLocaleDateString(localesOf(locales), optionsOf(options));
      case "toLocaleTimeString":
        return date.toLocaleTimeString(localesOf(locales), optionsOf(options));
      default:
        return date.toLocaleString(localesOf(locales), optionsOf(options));
    }
  },
  upper: (value, locales) => text(value).toLocaleUpperCase(localesOf(locales)),
  lower: (value, locales) => text(value).toLocaleLowerCase(localesOf(locales)),
  url: (href, base, name, value) => {
    const url = new URL(text(href), base === null || base === undefined ? undefined : text(base));
    if (isPart(name)) url[name] = text(value);
    const { origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url;
    return { href: url.href, origin, protocol, username, password, host, hostname, port, pathname, search, hash };
  },
  query: (value) => [...new URLSearchParams(text(value))],
  queryText: (pairs) => new URLSearchParams(pairs as [string, string][]).toString(),
  atob: (value) => atob(text(value)),
  btoa: (value) => btoa(text(value)),
  decode: (bytes, label, fatal, ignoreBOM, stream) => {
    const decoder = new TextDecoder(text(label), { fatal: fatal === true, ignoreBOM: ignoreBOM === true });
    return [decoder.encoding, decoder.decode(toBytes(text(bytes)), { stream: stream === true })];
  },
  random: (count) => {
    const bytes = crypto.getRandomValues(new Uint8Array(Math.min(number(count), mostRandom)));
    return String.fromCharCode(...bytes);
  },
};

/** Bytes that one call gives; `getRandomValues` inside asks again for more. */
const mostRandom = 8_192;
/** Characters of JSON that one question may have. */
const largestInput = 5_000_000;
/** Parts that one list or text is taken into. */
const maxParts = 10_000;
/** Texts that are put in order at once. */
const mostRanked = 50_000;
/** Digits of one number that is formatted. */
const mostDigits = 1_000;

const parts = [
  "href",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;

function isPart(name: Json | undefined): name is (typeof parts)[number] {
  return parts.some((part) => part === name);
}

type Methods = Record<string, (...values: Json[]) => Json>;
type Locales = string | string[] | undefined;

/** What each kind of format answers; `null` stands for a value that was left out. */
const formats: Record<string, (locales: Locales, options: object | undefined) => Methods> = {
  DateTimeFormat: (locales, options) => {
    const format = new Intl.DateTimeFormat(locales, options);
    return {
      resolvedOptions: () => ({ ...format.resolvedOptions() }) as unknown as Json,
      format: (time) => format.format(number(time)),
      formatToParts: (time) => format.formatToParts(number(time)) as unknown as Json,
      formatRange: (from, to) => format.formatRange(number(from), number(to)),
      formatRangeToParts: (from, to) => format.formatRangeToParts(number(from), number(to)) as unknown as Json,
    };
  },
  NumberFormat: (locales, options) => {
    const format = new Intl.NumberFormat(locales, options);
    return {
      resolvedOptions: () => ({ ...format.resolvedOptions() }) as unknown as Json,
      format: (value) => format.format(numeric(value)),
      formatToParts: (value) => format.formatToParts(numeric(value)) as unknown as Json,
      formatRange: (from, to) => format.formatRange(numeric(from), numeric(to)),
      formatRangeToParts: (from, to) => format.formatRangeToParts(numeric(from), numeric(to)) as unknown as Json,
    };
  },
  Collator: (locales, options) => {
    const collator = new Intl.Collator(locales, options);
    return {
      resolvedOptions: () => ({ ...collator.resolvedOptions() }) as unknown as Json,
      compare: (one, other) => collator.compare(text(one), text(other)),
    };
  },
  PluralRules: (locales, options) => {
    const rules = new Intl.PluralRules(locales, options);
    return {
      resolvedOptions: () => ({ ...rules.resolvedOptions() }) as unknown as Json,
      select: (value) => rules.select(number(value)),
    };
  },
  RelativeTimeFormat: (locales, options) => {
    const format = new Intl.RelativeTimeFormat(locales, options);
    const unit = (value: Json | undefined) => text(value) as Intl.RelativeTimeFormatUnit;
    return {
      resolvedOptions: () => ({ ...format.resolvedOptions() }) as unknown as Json,
      format: (value, of) => format.format(number(value), unit(of)),
      formatToParts: (value, of) => format.formatToParts(number(value), unit(of)) as unknown as Json,
    };
  },
  ListFormat: (locales, options) => {
    const format = new Intl.ListFormat(locales, options);
    return {
      resolvedOptions: () => ({ ...format.resolvedOptions() }) as unknown as Json,
      format: (list) => format.format(texts(list)),
      formatToParts: (list) => format.formatToParts(texts(list)) as unknown as Json,
    };
  },
  DisplayNames: (locales, options) => {
    const names = new Intl.DisplayNames(locales, options as Intl.DisplayNamesOptions);
    return {
      resolvedOptions: () => ({ ...names.resolvedOptions() }) as unknown as Json,
      of: (code) => names.of(text(code)) ?? null,
    };
  },
  Segmenter: (locales, options) => {
    const segmenter = new Intl.Segmenter(locales, options);
    return {
      resolvedOptions: () => ({ ...segmenter.resolvedOptions() }) as unknown as Json,
      segment: (value) => {
        if (text(value).length > maxParts) throw new RangeError(`Segment ${maxParts} characters at once at most.`);
        return [...segmenter.segment(text(value))].map(({ segment, index, isWordLike }) => ({
          segment,
          index,
          ...(isWordLike === undefined ? {} : { isWordLike }),
        }));
      },
    };
  },
};

/** Formats are costly to make, and code formats many values by one. */
const keptFormats = new Map<string, Methods>();
const mostKept = 50;

/** Characters of the locales and options of one that is kept. */
const longestKey = 1_000;

function kept<Made>(cache: Map<string, Made>, key: string, make: () => Made): Made {
  const known = cache.get(key);
  if (known) return known;
  const made = make();
  if (cache.size >= mostKept) cache.clear();
  if (key.length < longestKey) cache.set(key, made);
  return made;
}

const collators = new Map<string, Intl.Collator>();

function collatorOf(key: string): Intl.Collator {
  return kept(collators, key, () => {
    const [locales = null, options = null] = JSON.parse(key) as Json[];
    return new Intl.Collator(localesOf(locales), optionsOf(options));
  });
}

/** The answer to a question as JSON: `[value]`, or name and message of the error that the code gets. Never throws. */
export function answer(name: string, input: string): string {
  try {
    refuseLarge(input.length);
    const question = own(questions, name);
    if (!question) throw new TypeError(`There is no ${name}.`);
    return JSON.stringify([question(...(JSON.parse(input) as Json[]))]);
  } catch (error) {
    return errorText(error);
  }
}

/** Name and message of an error as JSON, as the sandbox throws it again. */
export function errorText(error: unknown): string {
  const { name, message } = error instanceof Error || error instanceof DOMException ? error : new Error("It failed.");
  return JSON.stringify([name, message.slice(0, 500)]);
}

function refuseLarge(characters: number): void {
  if (characters > largestInput) throw new RangeError("The value is too large.");
}

/** The order of two texts, negative, 0 or positive; `key` is JSON of locales and options. Throws as `Intl.Collator` does. */
export function compareTexts(key: string, one: string, other: string): number {
  refuseLarge(key.length + one.length + other.length);
  return collatorOf(key).compare(one, other);
}

function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function text(value: Json | undefined): string {
  if (typeof value !== "string") throw new TypeError("A text is needed.");
  return value;
}

function texts(value: Json | undefined, most = maxParts): string[] {
  if (!Array.isArray(value) || value.length > most) throw new RangeError(`A list of ${most} texts at most is needed.`);
  return value.map(text);
}

/** Numbers come as texts, since JSON has no NaN, Infinity and -0. */
function number(value: Json | undefined): number {
  return Number(text(value));
}

function numeric(value: Json | undefined): number | bigint {
  const digits = text(value);
  if (digits.length > mostDigits) throw new RangeError("The number has too many digits.");
  return digits.endsWith("n") ? BigInt(digits.slice(0, -1)) : Number(digits);
}

function localesOf(value: Json | undefined): Locales {
  if (value === null || value === undefined) return undefined;
  return Array.isArray(value) ? value.map(text) : text(value);
}

function optionsOf(value: Json | undefined): object | undefined {
  return typeof value === "object" && value !== null ? value : undefined;
}

function toBytes(binary: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
