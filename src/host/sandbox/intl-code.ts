import { callCode } from "./call-code.ts";

/** Runs inside the sandbox when code first needs a language's formats: `Intl`, and the methods of values that use it. */
export const intlCode = String.raw`(function ({ set, ask, compareTexts, parse, stringify }) {
  ${callCode}
  // Asking is slow, and sorting compares each text many times: texts that come again are ranked, all with one question.
  const orders = new Map();
  const compare = (key, one, other) => {
    if (one === other) return 0;
    let order = orders.get(key);
    if (order === undefined) orders.set(key, (order = { ranks: new Map(), seen: new Set() }));
    const first = order.ranks.get(one), second = order.ranks.get(other);
    if (first !== undefined && second !== undefined) return first < second ? -1 : first > second ? 1 : 0;
    const { ranks, seen } = order;
    if (ranks.size < 20000) for (const text of [one, other]) if (text.length <= 200 && !ranks.has(text)) seen.add(text);
    if (seen.size > Math.max(32, ranks.size)) {
      const all = [...ranks.keys(), ...seen];
      seen.clear();
      call("ranks", key, all).forEach((rank, index) => ranks.set(all[index], rank));
    }
    const answer = compareTexts(key, one, other);
    return typeof answer === "number" ? answer : answered(answer);
  };
  const states = new WeakMap();
  const numeric = (value) => {
    if (typeof value === "bigint") return value + "n";
    const number = Number(value);
    return Object.is(number, -0) ? "-0" : String(number);
  };
  const time = (value) => String(value === undefined ? Date.now() : Number(value));
  const texts = (list) => [...list].map((item) => {
    if (typeof item !== "string") throw new TypeError("A list of texts is needed.");
    return item;
  });
  const kinds = {
    DateTimeFormat: { format: [time], formatToParts: [time], formatRange: [time, time], formatRangeToParts: [time, time] },
    NumberFormat: {
      format: [numeric], formatToParts: [numeric], formatRange: [numeric, numeric], formatRangeToParts: [numeric, numeric],
    },
    Collator: { compare: [String, String] },
    PluralRules: { select: [numeric] },
    RelativeTimeFormat: { format: [numeric, String], formatToParts: [numeric, String] },
    ListFormat: { format: [texts], formatToParts: [texts] },
    DisplayNames: { of: [String] },
    Segmenter: { segment: [String] },
  };
  // These are often handed on without their object, as in list.map(format.format).
  const bound = { DateTimeFormat: "format", NumberFormat: "format", Collator: "compare" };
  const Intl = {};
  for (const kind of Object.keys(kinds)) {
    const ask = (self, method, values) => {
      const state = states.get(self);
      if (state === undefined || state.kind !== kind) throw new TypeError("This is no Intl." + kind + ".");
      const answer = call("intl", kind, state.locales, state.options, method, ...values);
      return answer === null ? undefined : answer;
    };
    const Format = function (locales, options) {
      if (new.target === undefined) return new Format(locales, options);
      const state = JSON.parse(stringify({ kind, locales, options }));
      states.set(this, state);
      ask(this, "resolvedOptions", []);
      const name = bound[kind];
      if (name === "compare") {
        const key = stringify([state.locales, state.options]);
        set(this, name, (one, other) => compare(key, String(one), String(other)));
      } else if (name !== undefined) set(this, name, (...values) => ask(this, name, [kinds[kind].format[0](values[0])]));
    };
    set(Format, "name", kind);
    set(Format, "supportedLocalesOf", (locales, options) => call("locales", kind, locales, options));
    set(Format.prototype, Symbol.toStringTag, "Intl." + kind);
    set(Format.prototype, "resolvedOptions", function () { return ask(this, "resolvedOptions", []); });
    for (const [method, readers] of Object.entries(kinds[kind])) {
      if (method === bound[kind]) continue;
      set(Format.prototype, method, function (...values) {
        const given = readers.map((read, index) => read(values[index]));
        const answer = ask(this, method, given);
        // Every segment names the whole text, which does not have to come from the host for each.
        return kind === "Segmenter" ? answer.map((part) => ({ ...part, input: given[0] })) : answer;
      });
    }
    set(Intl, kind, Format);
  }
  set(Intl, "getCanonicalLocales", (locales) => call("locales", "getCanonicalLocales", locales));
  set(Intl, "supportedValuesOf", (key) => call("locales", "supportedValuesOf", String(key)));
  set(Intl, Symbol.toStringTag, "Intl");

  const getTime = Date.prototype.getTime, numberOf = Number.prototype.valueOf, bigintOf = BigInt.prototype.valueOf;
  const method = (prototype, name, run) => set(prototype, name, { [name](...values) { return run(this, ...values); } }[name]);
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"])
    method(Date.prototype, name, (date, locales, options) => call("date", String(getTime.call(date)), name, locales, options));
  const format = (value, locales, options) => call("intl", "NumberFormat", locales, options, "format", numeric(value));
  method(Number.prototype, "toLocaleString", (value, ...rest) => format(numberOf.call(value), ...rest));
  method(BigInt.prototype, "toLocaleString", (value, ...rest) => format(bigintOf.call(value), ...rest));
  method(Array.prototype, "toLocaleString", (list, ...rest) =>
    Array.from(list, (item) => (item === undefined || item === null ? "" : item.toLocaleString(...rest))).join(","));
  const keys = new Map();
  const keyOf = (locales) => {
    const key = stringify([locales]);
    if (typeof locales !== "object") keys.set(locales, key);
    return key;
  };
  set(String.prototype, "localeCompare", function localeCompare(other, locales, options) {
    const key = options === undefined ? (keys.get(locales) ?? keyOf(locales)) : stringify([locales, options]);
    return compare(key, String(this), String(other));
  });
  method(String.prototype, "toLocaleUpperCase", (text, locales) => call("upper", String(text), locales));
  method(String.prototype, "toLocaleLowerCase", (text, locales) => call("lower", String(text), locales));
  return { Intl };
})`;
