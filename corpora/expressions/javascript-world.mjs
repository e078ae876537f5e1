/* eslint-disable no-extend-native, no-unused-vars -- the sandbox gets n8n's methods on the values themselves, as names of expressions */
// What n8n gives its expressions besides the language: Luxon, fixed time, the data of nodes and the extra methods of
// values. Runs within the sandbox, where `luxon` and `askOutside` are set.

let currentTime = 0;

class FixedDate extends Date {
  constructor(...args) {
    if (args.length === 0) super(currentTime);
    else super(...args);
  }
  static now() {
    return currentTime;
  }
}
const unread = (date) => Number.isNaN(date.getTime());
FixedDate.prototype.toLocaleString = function (locale, options = {}) {
  if (unread(this)) return "Invalid Date";
  const time = { hour: "numeric", minute: "numeric", second: "numeric" };
  const day = { year: "numeric", month: "numeric", day: "numeric" };
  const shown = Object.keys(options).some((key) => key !== "timeZone") ? options : { ...day, ...time, ...options };
  return new Intl.DateTimeFormat(locale, shown).format(this);
};
FixedDate.prototype.toLocaleDateString = function (locale, options = {}) {
  if (unread(this)) return "Invalid Date";
  const shown = Object.keys(options).some((key) => key !== "timeZone")
    ? options
    : { year: "numeric", month: "numeric", day: "numeric", ...options };
  return new Intl.DateTimeFormat(locale, shown).format(this);
};
FixedDate.prototype.toLocaleTimeString = function (locale, options = {}) {
  if (unread(this)) return "Invalid Date";
  const shown = Object.keys(options).some((key) => key !== "timeZone" && key !== "hour12")
    ? options
    : { hour: "numeric", minute: "numeric", second: "numeric", ...options };
  return new Intl.DateTimeFormat(locale, shown).format(this);
};
Object.assign(globalThis, { Date: FixedDate });

const ask = (kind, method, ...args) => JSON.parse(askOutside(JSON.stringify([kind, method, ...args])));
const proxied = (kind) =>
  class {
    constructor(locale, options) {
      this.settings = [locale ?? "en-US", options ?? {}];
      ask(kind, "check", ...this.settings);
    }
    format(value) {
      return ask(kind, "format", ...this.settings, value === undefined ? Date.now() : Number(value));
    }
    formatToParts(value) {
      return ask(kind, "formatToParts", ...this.settings, value === undefined ? Date.now() : Number(value));
    }
    resolvedOptions() {
      return ask(kind, "resolvedOptions", ...this.settings);
    }
  };
Object.assign(globalThis, {
  Intl: { DateTimeFormat: proxied("DateTimeFormat"), NumberFormat: proxied("NumberFormat") },
});
Number.prototype.toLocaleString = function (locale, options) {
  return new Intl.NumberFormat(locale, options).format(this);
};
String.prototype.localeCompare = function (other) {
  return ask("Collator", "compare", String(this), String(other));
};

const { DateTime, Duration, Interval, Settings } = luxon;
Settings.now = () => currentTime;
Settings.defaultLocale = "en-US";

const item = (json) => ({ json });
const source = (value) => {
  const all = (Array.isArray(value) ? value : [value]).map(item);
  const [first] = all;
  return {
    item: first,
    first: () => first,
    last: () => all.at(-1),
    all: () => all,
    json: first?.json,
    isExecuted: true,
  };
};

/** Sets the data that the next expression reads. */
function openWorld(json, nodes, now, zone) {
  currentTime = now;
  Settings.defaultZone = zone;
  const $input = source(json);
  const $ = (name) => {
    if (!Object.hasOwn(nodes, name)) throw new TypeError(name);
    return source(nodes[name]);
  };
  Object.assign(globalThis, {
    $json: json,
    $input,
    $,
    $node: Object.fromEntries(Object.entries(nodes).map(([name, value]) => [name, source(value)])),
    $items: (name) => (name === undefined ? $input : $(name)).all(),
    $now: DateTime.now(),
    $today: DateTime.now().startOf("day"),
  });
}
const $if = (test, yes, no) => (test ? yes : no);
const $ifEmpty = (value, other) => ($extend(value, "isEmpty") ? other : value);
const isNaN = Number.isNaN;
const isFinite = Number.isFinite;
const $env = {};
const $vars = {};
const $itemIndex = 0;
const $runIndex = 0;
const $execution = { id: "r" };
const $max = Math.max;
const $min = Math.min;

// Methods of n8n's that also answer what is missing, or stand beside a property of that name.
const $extend = (value, name) => {
  if (name === "isWeekend") return toDateTime(value).weekday > 5;
  const held = typeof value === "object" && value !== null ? Object.keys(value).length > 0 : value !== "";
  const empty = value === null || value === undefined || !held;
  return name === "isEmpty" ? empty : !empty;
};

const add = (prototype, methods) => {
  for (const [name, value] of Object.entries(methods)) {
    if (!(name in prototype)) Object.defineProperty(prototype, name, { value, enumerable: false, writable: true });
  }
};
const toDateTime = (value) => {
  if (DateTime.isDateTime(value)) return value;
  const made = value instanceof Date ? DateTime.fromJSDate(value) : DateTime.fromISO(String(value));
  if (made.isValid) return made;
  const read = DateTime.fromJSDate(new Date(value));
  if (!read.isValid) throw new TypeError("toDateTime");
  return read;
};
const words = (text) => text.trim().split(/[\s_-]+/);
add(String.prototype, {
  toDateTime() {
    return toDateTime(this);
  },
  toDate() {
    return toDateTime(this).toJSDate();
  },
  toNumber() {
    return Number(this);
  },
  toInt() {
    return parseInt(this, 10);
  },
  toWholeNumber() {
    return parseInt(this, 10);
  },
  toFloat() {
    return parseFloat(this);
  },
  toBoolean() {
    return !["false", "no", "0", ""].includes(this.toLowerCase());
  },
  toTitleCase() {
    return this.replace(/\w\S*/g, (one) => one[0].toUpperCase() + one.slice(1).toLowerCase());
  },
  toSentenceCase() {
    return this.replace(/(^\s*\w|[.!?]\s*\w)/g, (one) => one.toUpperCase());
  },
  toSnakeCase() {
    return words(this.toLowerCase()).join("_");
  },
  extractEmail() {
    return this.match(/[\w.+-]+@[\w-]+\.[\w.-]+/)?.[0];
  },
  extractDomain() {
    return this.match(/(?:https?:\/\/|@)([\w-]+(?:\.[\w-]+)+)/)?.[1];
  },
  extractUrl() {
    return this.match(/https?:\/\/[^\s<>"']+/)?.[0];
  },
  isEmail() {
    return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(this);
  },
  isUrl() {
    return /^https?:\/\/[^\s]+$/.test(this);
  },
  isNumeric() {
    return this !== "" && !Number.isNaN(Number(this));
  },
  removeTags() {
    return this.replace(/<[^>]*>/g, "");
  },
  base64Encode() {
    return ask("Text", "encode", String(this));
  },
  urlEncode() {
    return encodeURIComponent(this);
  },
  urlDecode() {
    return decodeURIComponent(this);
  },
  parseJson() {
    return JSON.parse(this);
  },
});
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const unique = (list) => list.filter((one, at) => list.findIndex((other) => same(one, other)) === at);
add(Array.prototype, {
  first() {
    return this[0];
  },
  last() {
    return this[this.length - 1];
  },
  sum() {
    return this.reduce((sum, one) => sum + Number(one), 0);
  },
  average() {
    return this.length === 0 ? 0 : this.sum() / this.length;
  },
  max() {
    return Math.max(...this.map(Number));
  },
  min() {
    return Math.min(...this.map(Number));
  },
  unique() {
    return unique(this);
  },
  removeDuplicates() {
    return unique(this);
  },
  compact() {
    return this.filter((one) => one !== null && one !== undefined && one !== "");
  },
  pluck(name) {
    return this.filter((one) => Object.hasOwn(one ?? {}, name)).map((one) => one[name]);
  },
  chunk(size) {
    return Array.from({ length: Math.ceil(this.length / size) }, (_, at) => this.slice(at * size, (at + 1) * size));
  },
  union(other) {
    return unique([...this, ...other]);
  },
  difference(other) {
    return this.filter((one) => !other.some((two) => same(one, two)));
  },
  intersection(other) {
    return unique(this.filter((one) => other.some((two) => same(one, two))));
  },
  append(...more) {
    return [...this, ...more];
  },
  toJsonString() {
    return JSON.stringify(this);
  },
});
add(Number.prototype, {
  round(places = 0) {
    return Number(`${Math.round(Number(`${this}e${places}`))}e-${places}`);
  },
  floor() {
    return Math.floor(this);
  },
  ceil() {
    return Math.ceil(this);
  },
  abs() {
    return Math.abs(this);
  },
  isEven() {
    return this % 2 === 0;
  },
  isOdd() {
    return this % 2 !== 0;
  },
  toBoolean() {
    return Number(this) !== 0;
  },
  toNumber() {
    return Number(this);
  },
  toDateTime() {
    return DateTime.fromMillis(Number(this));
  },
});
const record = (value) => {
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new TypeError("no object");
  return value;
};
for (const [name, value] of Object.entries({
  hasField(key) {
    return Object.hasOwn(record(this), key);
  },
  removeField(key) {
    const { [key]: _, ...rest } = record(this);
    return rest;
  },
  toJsonString() {
    return JSON.stringify(this);
  },
  keys() {
    return Object.keys(record(this));
  },
  values() {
    return Object.values(record(this));
  },
})) {
  Object.defineProperty(Object.prototype, name, { value, enumerable: false, writable: true, configurable: true });
}
// Amounts with a unit, which Luxon itself takes for milliseconds.
for (const name of ["plus", "minus"]) {
  const own = DateTime.prototype[name];
  DateTime.prototype[name] = function (amount, unit) {
    return own.call(this, unit === undefined ? amount : { [unit]: amount });
  };
}
add(DateTime.prototype, {
  format(pattern) {
    return this.toFormat(pattern);
  },
  beginningOf(unit) {
    return this.startOf(unit);
  },
  isBetween(a, b) {
    const [from, to] = [toMillis(a), toMillis(b)].toSorted((x, y) => x - y);
    return this.toMillis() > from && this.toMillis() < to;
  },
  toDateTime() {
    return this;
  },
  diffTo(other, unit = "days") {
    return this.diff(DateTime.fromMillis(toMillis(other)), unit).as(unit);
  },
  diffToNow(unit = "days") {
    return this.diff(DateTime.now(), unit).as(unit);
  },
});
const toMillis = (value) => Number(typeof value === "string" ? toDateTime(value).toMillis() : value);
add(Date.prototype, {
  toDateTime() {
    return DateTime.fromJSDate(this);
  },
  format(pattern) {
    return DateTime.fromJSDate(this).toFormat(pattern);
  },
});
