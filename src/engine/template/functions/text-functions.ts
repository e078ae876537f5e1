import type { FunctionTable } from "./function-table.ts";
import { findAll, groupsOf, readPattern } from "./pattern.ts";
import { isNothing, listOf, numberOf, recordOf, textOf, unfit, type Value, wholeOf, writtenText } from "./values.ts";

const mostCharacters = 2_000_000;

/** Text of a bounded length: a few characters must not become gigabytes. */
function bounded(length: number): void {
  if (length > mostCharacters) throw unfit("The text would be too long");
}

function padded(text: string, length: Value, fill: Value, atStart: boolean): string {
  const whole = wholeOf(length, 0);
  bounded(whole);
  const filling = isNothing(fill) ? " " : writtenText(fill);
  return atStart ? text.padStart(whole, filling) : text.padEnd(whole, filling);
}

/** The text with some or all of the matches replaced; `$1`, `$<name>` and `$&` in `to` stand for groups. */
function withPattern(text: string, pattern: string, to: string, flags: string): string {
  const ready = readPattern(pattern, flags);
  let result = "";
  let end = 0;
  for (const found of findAll(text, ready, flags.includes("g") ? Infinity : 1)) {
    const groups = groupsOf(text, found, ready);
    const [from = 0, past = 0] = found;
    const filled = to.replace(/\$(\$|&|\d{1,2}|<([^>]*)>)/g, (whole, mark: string, name: string | undefined) => {
      if (mark === "$") return "$";
      if (mark === "&") return groups[0] ?? "";
      const index = name === undefined ? Number(mark) : ready.groups.indexOf(name) + 1;
      return index >= 1 && index < groups.length ? (groups[index] ?? "") : name === undefined ? whole : "";
    });
    result += text.slice(end, from) + filled;
    bounded(result.length);
    end = past;
  }
  return result + text.slice(end);
}

function titled(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^|[\s_-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}

function sliced(value: Value, from: Value, to: Value): Value {
  const start = wholeOf(from, 0);
  const end = isNothing(to) ? undefined : wholeOf(to, 0);
  return Array.isArray(value) ? value.slice(start, end) : textOf(value).slice(start, end);
}

function decoded(decode: (text: string) => string, value: Value): string {
  try {
    return decode(writtenText(value));
  } catch {
    throw unfit("The text is not encoded properly");
  }
}

const bytesOf = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
const textOfBytes = (bytes: string) => new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)));

export const textFunctions = {
  text: {
    detail: "text(value) → text; nothing for null, JSON for lists and objects",
    takes: [1, 1],
    gives: "string",
    run: (value) => {
      if (isNothing(value)) return "";
      const isRecord = recordOf(value) !== undefined || Array.isArray(value);
      return isRecord ? JSON.stringify(value) : writtenText(value);
    },
  },
  concat: {
    detail: 'concat("Order ", json.?id) → one text, as JavaScript writes the values',
    takes: [1, 15],
    gives: "string",
    run: (...values) => values.map(writtenText).join(""),
  },
  lower: { detail: "lower(text) → text", takes: [1, 1], gives: "string", run: (text) => textOf(text).toLowerCase() },
  upper: { detail: "upper(text) → text", takes: [1, 1], gives: "string", run: (text) => textOf(text).toUpperCase() },
  titleCase: {
    detail: "titleCase(text) → Every Word",
    takes: [1, 1],
    gives: "string",
    run: (text) => titled(textOf(text)),
  },
  trim: {
    detail: "trim(text) → without blanks around it",
    takes: [1, 1],
    gives: "string",
    run: (text) => textOf(text).trim(),
  },
  trimStart: { detail: "trimStart(text)", takes: [1, 1], gives: "string", run: (text) => textOf(text).trimStart() },
  trimEnd: { detail: "trimEnd(text)", takes: [1, 1], gives: "string", run: (text) => textOf(text).trimEnd() },
  padStart: {
    detail: 'padStart(text, 3, "0") → "007"',
    takes: [2, 3],
    gives: "string",
    run: (text, length, fill) => padded(textOf(text), length, fill, true),
  },
  padEnd: {
    detail: 'padEnd(text, 10, ".")',
    takes: [2, 3],
    gives: "string",
    run: (text, length, fill) => padded(textOf(text), length, fill, false),
  },
  repeat: {
    detail: 'repeat("-", 20) → text',
    takes: [2, 2],
    gives: "string",
    run: (text, count) => {
      const times = wholeOf(count, 0);
      if (times < 0) throw unfit("A text cannot be repeated less than zero times");
      bounded(times * textOf(text).length);
      return textOf(text).repeat(times);
    },
  },
  split: {
    detail: 'split(text, ", ") → list',
    takes: [1, 3],
    gives: "list",
    run: (text, separator, limit) =>
      isNothing(separator)
        ? [textOf(text)]
        : textOf(text).split(writtenText(separator), isNothing(limit) ? undefined : wholeOf(limit, 0)),
  },
  splitPattern: {
    detail: 'splitPattern(text, "[,;]\\\\s*") → list',
    takes: [2, 3],
    gives: "list",
    run: (text, pattern, flags) => {
      const source = textOf(text);
      const parts: Value[] = [];
      let end = 0;
      for (const [from = 0, past = 0] of findAll(
        source,
        readPattern(textOf(pattern), isNothing(flags) ? "" : textOf(flags)),
      )) {
        if (past === from && (from === 0 || from === source.length)) continue;
        parts.push(source.slice(end, from));
        end = past;
      }
      return [...parts, source.slice(end)];
    },
  },
  replace: {
    detail: 'replace(text, "from", "to") → the first one replaced',
    takes: [3, 3],
    gives: "string",
    run: (text, from, to) => textOf(text).replace(writtenText(from), () => writtenText(to)),
  },
  replaceAll: {
    detail: 'replaceAll(text, "from", "to") → text',
    takes: [3, 3],
    gives: "string",
    run: (text, from, to) => {
      const parts = textOf(text).split(writtenText(from));
      bounded(textOf(text).length + parts.length * writtenText(to).length);
      return parts.join(writtenText(to));
    },
  },
  replacePattern: {
    detail: 'replacePattern(text, "(\\\\d+) EUR", "€$1", "g") → text; flags g, i, m, s',
    takes: [3, 4],
    gives: "string",
    run: (text, pattern, to, flags) =>
      withPattern(textOf(text), textOf(pattern), writtenText(to), isNothing(flags) ? "" : textOf(flags)),
  },
  matchesPattern: {
    detail: 'matchesPattern(text, "^\\\\d+$") → true or false',
    takes: [2, 3],
    gives: "bool",
    run: (text, pattern, flags) =>
      findAll(writtenText(text), readPattern(textOf(pattern), isNothing(flags) ? "" : textOf(flags)), 1).length > 0,
  },
  findPattern: {
    detail: 'findPattern(text, "#(\\\\d+)") → the first match and its groups as a list, or null',
    takes: [2, 3],
    gives: "dyn",
    run: (text, pattern, flags) => {
      const ready = readPattern(textOf(pattern), isNothing(flags) ? "" : textOf(flags));
      const [found] = findAll(textOf(text), ready, 1);
      return found ? groupsOf(textOf(text), found, ready).map((group) => group ?? null) : null;
    },
  },
  findAllPattern: {
    detail: 'findAllPattern(text, "\\\\d+") → list of matches, or null for none',
    takes: [2, 3],
    gives: "dyn",
    run: (text, pattern, flags) => {
      const source = textOf(text);
      const all = findAll(source, readPattern(textOf(pattern), isNothing(flags) ? "" : textOf(flags)));
      return all.length === 0 ? null : all.map(([from = 0, past = 0]) => source.slice(from, past));
    },
  },
  slice: {
    detail: "slice(textOrList, from, to?) → its part; negative counts from the end",
    takes: [1, 3],
    gives: "dyn",
    run: sliced,
  },
  indexOf: {
    detail: "indexOf(textOrList, part) → position from 0, or -1",
    takes: [2, 2],
    gives: "double",
    run: (value, part) =>
      Array.isArray(value)
        ? value.findIndex((one) => one === part || numberIs(one, part))
        : textOf(value).indexOf(writtenText(part)),
  },
  lastIndexOf: {
    detail: "lastIndexOf(text, part) → position from 0, or -1",
    takes: [2, 2],
    gives: "double",
    run: (value, part) =>
      Array.isArray(value) ? value.lastIndexOf(part) : textOf(value).lastIndexOf(writtenText(part)),
  },
  includes: {
    detail: "includes(textOrList, part) → true or false",
    takes: [2, 2],
    gives: "bool",
    run: (value, part) =>
      Array.isArray(value)
        ? value.some((one) => one === part || numberIs(one, part) || (isNothing(one) && isNothing(part)))
        : textOf(value).includes(writtenText(part)),
  },
  beginsWith: {
    detail: "beginsWith(text, start) → true or false",
    takes: [2, 2],
    gives: "bool",
    run: (text, start) => textOf(text).startsWith(writtenText(start)),
  },
  finishesWith: {
    detail: "finishesWith(text, end) → true or false",
    takes: [2, 2],
    gives: "bool",
    run: (text, end) => textOf(text).endsWith(writtenText(end)),
  },
  encodeUrl: {
    detail: "encodeUrl(value) → percent-encoded text; encodeUrl(url, true) keeps its : / ? & and #",
    takes: [1, 2],
    gives: "string",
    run: (value, isWhole) => decoded(isWhole === true ? encodeURI : encodeURIComponent, value),
  },
  decodeUrl: {
    detail: "decodeUrl(text, true for a whole URL?) → text",
    takes: [1, 2],
    gives: "string",
    run: (value, isWhole) => decoded(isWhole === true ? decodeURI : decodeURIComponent, value),
  },
  encodeBase64: {
    detail: "encodeBase64(text) → text",
    takes: [1, 1],
    gives: "string",
    run: (value) => btoa(bytesOf(writtenText(value))),
  },
  decodeBase64: {
    detail: "decodeBase64(text) → text",
    takes: [1, 1],
    gives: "string",
    run: (value) => decoded((text) => textOfBytes(atob(text)), value),
  },
  join: {
    detail: 'join(list, ", ") → text',
    takes: [1, 2],
    gives: "string",
    run: (list, separator) =>
      listOf(list)
        .map((one) => (isNothing(one) ? "" : writtenText(one)))
        .join(isNothing(separator) ? "," : writtenText(separator)),
  },
} as const satisfies FunctionTable;

function numberIs(left: Value, right: Value): boolean {
  return (
    (typeof left === "bigint" || typeof right === "bigint") &&
    numberOf(left) === numberOf(right) &&
    typeof left !== "string" &&
    typeof right !== "string"
  );
}
