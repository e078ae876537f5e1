import type { FunctionTable } from "./function-table.ts";
import {
  compareLarge,
  isNothing,
  isSame,
  listOf,
  numberOf,
  opened,
  recordOf,
  typeWord,
  unfit,
  type Value,
  wholeOf,
  writtenText,
} from "./values.ts";
import { withLargeIntegersAsText, replaceBigInts } from "../../lossless-json.ts";

/** What stands under a key or at a place; undefined where there is nothing. */
function found(value: Value, key: Value): Value {
  const name = opened(key);
  if (Array.isArray(value) || typeof value === "string") {
    const at = numberOf(name);
    return Number.isInteger(at) && at >= 0 ? value[at] : undefined;
  }
  const record = recordOf(value);
  if (!record) {
    if (isNothing(value)) throw unfit(`Nothing can be read from ${typeWord(value)}`);
    return undefined;
  }
  const text = writtenText(name);
  return Object.hasOwn(record, text) ? record[text] : undefined;
}

const own = (value: Value, key: Value): Value => found(value, key) ?? null;

/** The first reference to a file in a value, what stands less deep before what stands deeper. */
function fileWithin(value: Value, depth: number): Value {
  const record = recordOf(value);
  if (record && Object.hasOwn(record, "$file")) return value;
  const members = Array.isArray(value) ? value : Object.values(record ?? {});
  if (depth === 0) return undefined;
  const isFile = (one: Value) => fileWithin(one, 0) !== undefined;
  return members.find(isFile) ?? members.map((one) => fileWithin(one, depth - 1)).find((one) => one !== undefined);
}

function entriesOf(value: Value): [string, Value][] {
  if (isNothing(value)) throw unfit("An object is needed here");
  if (Array.isArray(value) || typeof value === "string") return Object.entries(value);
  return Object.entries(recordOf(value) ?? {});
}

/** Two values in the order that JavaScript sorts by: as text, missing ones last. */
function byText(left: Value, right: Value): number {
  if (isNothing(left) || isNothing(right)) return Number(isNothing(left)) - Number(isNothing(right));
  const a = writtenText(left);
  const b = writtenText(right);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Numbers by size, the rest as text. */
function natural(left: Value, right: Value): number {
  const a = opened(left);
  const b = opened(right);
  return typeof a === "number" && typeof b === "number" ? a - b : (compareLarge(a, b) ?? byText(a, b));
}

/** Numbers, and texts that are numbers; what is none stays where it is. */
function bySize(left: Value, right: Value): number {
  const large = compareLarge(left, right);
  if (large !== undefined) return large;
  const difference = numberOf(left) - numberOf(right);
  return Number.isNaN(difference) ? 0 : difference;
}

/** Texts as a dictionary has them: "apple" before "Banana". */
function byWords(left: Value, right: Value): number {
  const [a, b] = [opened(left), opened(right)];
  if (typeof a !== "string") throw unfit(`Text is needed here, not ${typeWord(a)}`);
  return a.localeCompare(writtenText(b));
}

function unique(list: readonly Value[]): Value[] {
  const seen = new Set<Value>();
  return list.filter((one) => {
    const key = typeof one === "object" && one !== null ? JSON.stringify(one, replaceBigInts) : opened(one);
    return !seen.has(key) && Boolean(seen.add(key));
  });
}

const mostItems = 100_000;

export const listFunctions = {
  length: {
    detail: "length(textOrList) → number of characters or items",
    takes: [1, 1],
    gives: "double",
    run: (value) => {
      if (typeof value === "string" || Array.isArray(value)) return value.length;
      const record = recordOf(value);
      if (record && typeof record.length === "number") return record.length;
      throw unfit(`Text or a list is needed here, not ${typeWord(value)}`);
    },
  },
  get: {
    detail: 'get(value, "key") or get(list, 0) → what is there, or null',
    takes: [2, 2],
    gives: "dyn",
    run: own,
  },
  at: {
    detail: "at(list, -1) → the item, from the end with a minus; null for none",
    takes: [2, 2],
    gives: "dyn",
    run: (value, index) => (typeof value === "string" ? value : listOf(value)).at(wholeOf(index, 0)) ?? null,
  },
  first: {
    detail: "first(list) → its first item, or null",
    takes: [1, 1],
    gives: "dyn",
    run: (value) => (typeof value === "string" ? value : listOf(value)).at(0) ?? null,
  },
  last: {
    detail: "last(list) → its last item, or null",
    takes: [1, 1],
    gives: "dyn",
    run: (value) => (typeof value === "string" ? value : listOf(value)).at(-1) ?? null,
  },
  items: {
    detail: "items(value) → a list as it is, anything else as a list of one",
    takes: [1, 1],
    gives: "list",
    run: (value) => (Array.isArray(value) ? value : isNothing(value) ? [] : [value]),
  },
  indexed: {
    detail: "indexed(list) → list of { item, index }",
    takes: [1, 1],
    gives: "list",
    run: (list) => listOf(list).map((item, index) => ({ item, index })),
  },
  reverse: { detail: "reverse(list) → list", takes: [1, 1], gives: "list", run: (list) => listOf(list).toReversed() },
  unique: {
    detail: "unique(list) → without repetitions",
    takes: [1, 1],
    gives: "list",
    run: (list) => unique(listOf(list)),
  },
  flatten: {
    detail: "flatten(list, depth?) → inner lists opened",
    takes: [1, 2],
    gives: "list",
    run: (list, depth) => (listOf(list) as unknown[]).flat(Math.min(32, wholeOf(depth, 1))),
  },
  sort: {
    detail: "sort(list) → in the order of their texts",
    takes: [1, 1],
    gives: "list",
    run: (list) => listOf(list).toSorted(byText),
  },
  sortBy: {
    detail: 'sortBy(list, "age", "desc"?) → list; numbers by size; "number" or "words" say how, as in "words desc"',
    takes: [2, 3],
    gives: "list",
    run: (list, key, order) => {
      const name = writtenText(key);
      const value = (one: Value) => (name === "" ? one : found(one, name));
      const [by, way] = isNothing(order) ? ["", ""] : writtenText(order).split(" ");
      const turn = by === "desc" || way === "desc" ? -1 : 1;
      const compare = by === "number" ? bySize : by === "words" ? byWords : natural;
      // What is missing from a list of numbers comes last, as in JavaScript.
      const last = (one: Value) => by === "number" && name === "" && isNothing(one);
      const sorted = listOf(list).filter((one) => !last(one));
      sorted.sort((a, b) => turn * compare(value(a), value(b)));
      return [...sorted, ...listOf(list).filter(last)];
    },
  },
  append: {
    detail: "append(list, items…) → lists in a row",
    takes: [1, 15],
    gives: "list",
    run: (list, ...more) => [...listOf(list), ...more.flat()],
  },
  chunk: {
    detail: "chunk(list, 10) → lists of at most 10",
    takes: [2, 2],
    gives: "list",
    run: (list, size) => {
      const length = Math.max(1, wholeOf(size, 1));
      const all = listOf(list);
      return Array.from({ length: Math.ceil(all.length / length) }, (_, at) =>
        all.slice(at * length, (at + 1) * length),
      );
    },
  },
  range: {
    detail: "range(0, 5) → [0, 1, 2, 3, 4]",
    takes: [1, 2],
    gives: "list",
    run: (from, to) => {
      const [start, end] = isNothing(to) ? [0, wholeOf(from, 0)] : [wholeOf(from, 0), wholeOf(to, 0)];
      if (end - start > mostItems) throw unfit("The list would be too long");
      return Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at);
    },
  },
  pluck: {
    detail: 'pluck(list, "name") → the values of one key, where there are any',
    takes: [2, 2],
    gives: "list",
    run: (list, key) =>
      listOf(list).flatMap((one) => {
        const value = recordOf(one) && found(one, key);
        return value === undefined ? [] : [value];
      }),
  },
  compact: {
    detail: "compact(list) → without null and empty texts",
    takes: [1, 1],
    gives: "list",
    run: (list) => listOf(list).filter((one) => !isNothing(one) && one !== ""),
  },
  firstFile: {
    detail: "firstFile(data) → the file that it is, or the first in its lists and members",
    takes: [1, 1],
    gives: "map",
    run(value) {
      const file = fileWithin(value, 3);
      if (file === undefined) throw unfit(`There is no file in ${typeWord(opened(value))}`);
      return file;
    },
  },
  keys: {
    detail: "keys(object) → list of names",
    takes: [1, 1],
    gives: "list",
    run: (value) => entriesOf(value).map(([name]) => name),
  },
  values: {
    detail: "values(object) → list",
    takes: [1, 1],
    gives: "list",
    run: (value) => entriesOf(value).map(([, one]) => one),
  },
  entries: { detail: "entries(object) → list of [name, value]", takes: [1, 1], gives: "list", run: entriesOf },
  fromEntries: {
    detail: "fromEntries(list of [name, value]) → object",
    takes: [1, 1],
    gives: "map",
    run: (list) =>
      Object.fromEntries(listOf(list).map((pair) => [writtenText(listOf(pair)[0]), listOf(pair)[1] ?? null])),
  },
  mergeObjects: {
    detail: "mergeObjects(a, b) or mergeObjects(list) → one object; later ones win",
    takes: [1, 15],
    gives: "map",
    run: (...objects) => {
      const [first] = objects;
      const all = objects.length === 1 && Array.isArray(first) ? first : objects;
      return Object.assign({}, ...all.map((one) => recordOf(one) ?? {}));
    },
  },
  without: {
    detail: 'without(object, "key", …) → object',
    takes: [2, 15],
    gives: "map",
    run: (object, ...names) => {
      const left = new Set(names.map(writtenText));
      return Object.fromEntries(entriesOf(object).filter(([name]) => !left.has(name)));
    },
  },
  hasKey: {
    detail: 'hasKey(object, "name") → true or false',
    takes: [2, 2],
    gives: "bool",
    run: (value, key) => {
      if (Array.isArray(value)) return numberOf(key) >= 0 && numberOf(key) < value.length;
      const record = recordOf(value);
      if (!record) throw unfit("An object is needed here");
      return Object.hasOwn(record, writtenText(key));
    },
  },
  equals: {
    detail: "equals(a, b) → the same, a number and its text included",
    takes: [2, 2],
    gives: "bool",
    run: (left, right) => {
      const a = left instanceof Date ? left.getTime() : left;
      const b = right instanceof Date ? right.getTime() : right;
      if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
      if (typeof a === typeof b) return isSame(a, b);
      if (typeof a === "object") return equalText(a, b);
      if (typeof b === "object") return equalText(b, a);
      const large = compareLarge(a, b);
      return large === undefined ? numberOf(a) === numberOf(b) : large === 0;
    },
  },
  isLess: {
    detail: "isLess(a, b) → true or false; texts by their letters",
    takes: [2, 2],
    gives: "bool",
    run: (a, b) => ordered(a, b, (x, y) => x < y),
  },
  isAtMost: {
    detail: "isAtMost(a, b) → true or false",
    takes: [2, 2],
    gives: "bool",
    run: (a, b) => ordered(a, b, (x, y) => x <= y),
  },
  plus: {
    detail: "plus(a, b) → sum of numbers, else one text",
    takes: [2, 2],
    gives: "dyn",
    run: (left, right) => {
      const isText = [left, right].some((one) => typeof one === "string" || (typeof one === "object" && one !== null));
      return isText ? writtenText(left) + writtenText(right) : numberOf(left) + numberOf(right);
    },
  },
  truthy: {
    detail: "truthy(value) → false for null, false, 0 and empty text",
    takes: [1, 1],
    gives: "bool",
    run: (value) => Boolean(value),
  },
  isNothing: { detail: "isNothing(value) → is it null or missing?", takes: [1, 1], gives: "bool", run: isNothing },
  isEmpty: {
    detail: "isEmpty(value) → nothing, or an empty text, list or object",
    takes: [1, 1],
    gives: "bool",
    run: (value) => {
      if (isNothing(value) || value === "") return true;
      if (typeof value !== "object" || value instanceof Date) return false;
      return Object.keys(value ?? {}).length === 0;
    },
  },
  typeName: {
    detail: 'typeName(value) → "string", "number", "boolean", "object" or "undefined"',
    takes: [1, 1],
    gives: "string",
    run: (value) => typeof value,
  },
  isList: {
    detail: "isList(value) → true or false",
    takes: [1, 1],
    gives: "bool",
    run: (value) => Array.isArray(value),
  },
  toJson: {
    detail: "toJson(value, 2?) → JSON text",
    takes: [1, 2],
    gives: "dyn",
    run: (value, indent) => JSON.stringify(value, whole, isNothing(indent) ? undefined : wholeOf(indent, 0)) ?? null,
  },
  parseJson: {
    detail: "parseJson(text) → the value",
    takes: [1, 1],
    gives: "dyn",
    run: (text) => {
      try {
        return JSON.parse(withLargeIntegersAsText(typeof text === "string" ? text : writtenText(text)), safeKey);
      } catch {
        throw unfit("The text is not valid JSON");
      }
    },
  },
} as const satisfies FunctionTable;

function equalText(object: Value, other: Value): boolean {
  return typeof other === "string" ? writtenText(object) === other : numberOf(object) === numberOf(other);
}

function ordered(left: Value, right: Value, holds: (a: string | number, b: string | number) => boolean): boolean {
  const large = compareLarge(left, right);
  if (large !== undefined) return holds(large, 0);
  if (typeof left === "string" && typeof right === "string") return holds(left, right);
  return holds(numberOf(left), numberOf(right));
}

/** Whole numbers as numbers; optional values as JavaScript has them, which leaves out what is missing. */
function whole(_key: string, value: Value): Value {
  return opened(value);
}

/** What reaches prototypes is left out. */
function safeKey(key: string, value: Value): Value {
  return key === "__proto__" ? undefined : value;
}
