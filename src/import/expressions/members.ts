import {
  AlwaysFails,
  asArgument,
  asBase,
  asValue,
  isName,
  NoExpression,
  type Piece,
  piece,
  quoted,
  type Special,
  special,
} from "./piece.ts";

/** What names of nodes stand for. */
export interface Names {
  /** The CEL path of a node's output by the node's name, or undefined when there is no such node before. */
  node(name: string): string | undefined;
  /** The CEL path of the item that a loop is at, of those that a node gave. */
  item?(name: string): string | undefined;
  /** Whether a node gives a list of items. */
  isList?(name: string): boolean;
  /** Keys of a node's output that have another name here; the node before is "". */
  aliases?(name: string): readonly Alias[];
  /** A key under which a node's data stands here as well, such as the body of a request. */
  inside?(name: string): string | undefined;
  /** What `$json` is, where it is not the node's own input. */
  input?: string;
}

/** A path into a node's output elsewhere, and the one here. */
export interface Alias {
  from: readonly (string | number)[];
  to: readonly (string | number)[];
}

const dateParts = new Set([
  "year",
  "month",
  "day",
  "hour",
  "minute",
  "second",
  "millisecond",
  "weekday",
  "weekNumber",
  "quarter",
  "ordinal",
]);

/** Parts of a date that are words, as patterns. */
const dateNames: Readonly<Record<string, string>> = {
  weekdayLong: "EEEE",
  weekdayShort: "EEE",
  monthLong: "MMMM",
  monthShort: "MMM",
};

/** A date by a pattern, given as CEL text, in its own zone and language. */
export function formatted({ code, zone, language }: Piece, pattern: string): Piece {
  const more = language === undefined ? (zone === undefined ? "" : `, ${zone}`) : `, ${zone ?? "null"}, ${language}`;
  return piece("string", `formatDate(${code}, ${pattern}${more})`);
}

/** `base.key`, or `base?.key` where `optional`. */
export function member(base: Piece, key: string, optional: boolean, names: Names): Piece {
  if (base.special) return specialMember(base.special, key, names);
  if (base.kind === "date") {
    const zone = base.zone === undefined ? "" : `, ${base.zone}`;
    if (dateParts.has(key)) return piece("number", `datePart(${base.code}, ${quoted(key)}${zone})`);
    if (key === "ts") return piece("number", `millis(${base.code})`);
    if (key === "isValid") return piece("bool", `!isNothing(maybe(${base.code}))`);
    const named = Object.hasOwn(dateNames, key) ? dateNames[key] : undefined;
    if (named !== undefined) return formatted(base, quoted(named));
    if (key === "daysInMonth") return piece("number", `datePart(endOf(${base.code}, "month"${zone}), "day"${zone})`);
    throw new NoExpression(`${key} of a date`);
  }
  if (key === "length" && !optional) return piece("number", `length(${asBase(base)})`);
  if (key === "length") {
    const here = asArgument(base);
    return piece("dyn", `(isNothing(${here}) ? null : dyn(length(${asValue(base)})))`);
  }
  if (base.kind === "list" && key === "size") return piece("number", `length(${base.code})`);
  return path(base, key, optional);
}

/** A step of a path; within `a?.b` nothing has to be there. */
export function path(base: Piece, key: string | number, optional: boolean): Piece {
  const text = typeof key === "number" ? String(key) : isName(key) ? key : undefined;
  const before = optional && base.kind === "opt" ? base.code : parenthesised(asBase(base));
  const strictBase = parenthesised(asBase(base));
  // A pattern that was not found gives null, in which JavaScript looks for nothing.
  if (typeof key === "number" && !optional && /^find(?:All)?Pattern\(/.test(base.code))
    return piece("dyn", `get(${base.code}, ${key})`);
  if (typeof key === "number") {
    return piece("opt", `${before}[?${key}]`, { strict: `${strictBase}[${key}]` });
  }
  return text === undefined
    ? piece("opt", `${before}[?${quoted(key)}]`, { strict: `${strictBase}[${quoted(key)}]` })
    : piece("opt", `${before}.?${text}`, { strict: `${strictBase}.${text}` });
}

function parenthesised(code: string): string {
  return /^[A-Za-z_][\w.[\]"?]*$/.test(code) || /^[A-Za-z_]\w*\(.*\)$/s.test(code) || /^[([]/.test(code)
    ? code
    : `(${code})`;
}

function specialMember(is: NonNullable<Piece["special"]>, key: string, names: Names): Piece {
  switch (is.is) {
    case "item":
      if (key === "json") return piece("map", is.code);
      break;
    case "node":
      if (key === "item") return special({ is: "item", code: is.item ?? is.code });
      if (key === "json" || key === "data") return piece("map", is.item ?? is.code);
      if (key === "isExecuted") return piece("bool", `!isNothing(maybe(${is.code}))`);
      break;
    case "nodes":
      if (key === "$node") return special({ is: "nodes" });
      if (key === "$json") return piece("map", names.input ?? "json");
      return nodeOf(key, names);
    case "execution":
      if (key === "id") return piece("string", "run.id");
      break;
    case "all":
      if (key === "length") return piece("number", `length(${is.code})`);
      break;
    case "namespace":
      return constantOf(is.name, key);
    case "span":
      return piece("number", spanIn(is, quoted(key)));
    case "regex":
    case "gathered":
      break;
  }
  throw new NoExpression(`.${key}`);
}

/** A span between two dates in a unit, as CEL text. */
export function spanIn({ from, to, zone }: Extract<Special, { is: "span" }>, unit: string): string {
  return `dateDiff(${from}, ${to}, ${unit}${zone})`;
}

/** The output of a node by its name. */
export function nodeOf(name: string, names: Names): Piece {
  const code = names.node(name);
  if (code === undefined) throw new AlwaysFails(name);
  const item = names.item?.(name);
  const isList = names.isList?.(name) === true;
  return special({ is: "node", code, ...(item === undefined ? {} : { item }), ...(isList ? { isList } : {}) });
}

function constantOf(name: string, key: string): Piece {
  if (name === "Math" && key === "PI") return piece("number", String(Math.PI));
  if (name === "Math" && key === "E") return piece("number", String(Math.E));
  return special({ is: "namespace", name: `${name}.${key}` });
}

/** `base[index]` with an index that is worked out. */
export function indexed(base: Piece, index: Piece): Piece {
  if (base.special?.is === "all") {
    if (typeof index.literal === "number")
      return special({ is: "item", code: `${base.special.code}[${index.literal}]` });
    return special({ is: "item", code: `get(${base.special.code}, ${asArgument(index)})` });
  }
  return piece("dyn", `get(${asBase(base)}, ${asArgument(index)})`);
}
