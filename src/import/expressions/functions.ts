import {
  asArgument,
  asNumber,
  asText,
  asTruth,
  asValue,
  either,
  NoExpression,
  type Piece,
  piece,
  quoted,
  special,
} from "./piece.ts";
import { type Names, nodeOf } from "./members.ts";
import { amountOf } from "./date-methods.ts";

const list = (args: readonly Piece[]) => args.map(asArgument).join(", ");

/** Functions of a namespace that are one function here. */
const plain: Readonly<Record<string, readonly [name: string, gives: Piece["kind"]]>> = {
  "Math.round": ["round", "number"],
  "Math.floor": ["floor", "number"],
  "Math.ceil": ["ceil", "number"],
  "Math.trunc": ["trunc", "number"],
  "Math.abs": ["abs", "number"],
  "Math.sign": ["sign", "number"],
  "Math.sqrt": ["sqrt", "number"],
  "Math.pow": ["power", "number"],
  "Math.max": ["highest", "number"],
  "Math.min": ["lowest", "number"],
  "Object.keys": ["keys", "list"],
  "Object.values": ["values", "list"],
  "Object.entries": ["entries", "list"],
  "Object.fromEntries": ["fromEntries", "map"],
  "Object.assign": ["mergeObjects", "map"],
  "JSON.parse": ["parseJson", "dyn"],
  "Array.isArray": ["isList", "bool"],
  "Number.isInteger": ["isWhole", "bool"],
  "Number.parseInt": ["readWhole", "number"],
  "Number.parseFloat": ["readNumber", "number"],
  parseInt: ["readWhole", "number"],
  parseFloat: ["readNumber", "number"],
  encodeURIComponent: ["encodeUrl", "string"],
  decodeURIComponent: ["decodeUrl", "string"],
  btoa: ["encodeBase64", "string"],
  atob: ["decodeBase64", "string"],
  $jmespath: ["get", "dyn"],
};

const dateUnits = new Set(
  "year years quarter quarters month months week weeks day days hour hours minute minutes second seconds millisecond milliseconds".split(
    " ",
  ),
);

/** Whether a name is known to be a function or the holder of functions. */
export function isNamespace(name: string): boolean {
  return (
    [
      "Math",
      "JSON",
      "Object",
      "Array",
      "Number",
      "String",
      "Boolean",
      "Date",
      "DateTime",
      "Duration",
      "console",
    ].includes(name) ||
    Object.hasOwn(plain, name) ||
    [
      "$",
      "$if",
      "$ifEmpty",
      "$max",
      "$min",
      "$fromAI",
      "$fromai",
      "$fromAi",
      "$item",
      "$items",
      "$not",
      "isFinite",
      "isNaN",
      "encodeURI",
      "decodeURI",
      "$evaluateExpression",
    ].includes(name)
  );
}

/** A call of a function by its full name, such as `Math.max`. */
export function call(name: string, args: readonly Piece[], names: Names, zone: string | undefined): Piece {
  const [first, second, third] = args;
  const simple = Object.hasOwn(plain, name) && name !== "$jmespath" ? plain[name] : undefined;
  if (simple && args.length > 0) return piece(simple[1], `${simple[0]}(${list(args)})`);
  const named = name.startsWith("DateTime.") ? args.at(-1)?.entries?.find(([key]) => key === "zone")?.[1] : undefined;
  const ownZone = named ? asText(named) : zone;
  const local = ownZone === undefined ? {} : { zone: ownZone };
  const zoneArgument = ownZone === undefined ? "" : `, ${ownZone}`;
  switch (name) {
    case "$":
    case "$items":
      if (typeof first?.literal === "string") {
        const node = nodeOf(first.literal, names);
        if (name === "$") return node;
        return special({ is: "all", code: `items(${node.special?.is === "node" ? node.special.code : ""})` });
      }
      if (name === "$items" && !first) return special({ is: "all", code: "items(json)" });
      break;
    case "$item":
      return special({ is: "nodes" });
    case "$jmespath":
      if (first && typeof second?.literal === "string" && /^\w+(\.\w+)*$/.test(second.literal)) {
        return piece(
          "dyn",
          second.literal.split(".").reduce((code, key) => `get(${code}, ${quoted(key)})`, asArgument(first)),
        );
      }
      break;
    case "$fromAI":
    case "$fromai":
    case "$fromAi":
      return fromAi(args);
    case "$if":
      if (first && second && third) return either(asTruth(first), second, third);
      break;
    case "$ifEmpty":
      if (first && second) return piece("dyn", `(isEmpty(${asArgument(first)}) ? ${dyn(second)} : ${dyn(first)})`);
      break;
    case "$max":
    case "$min":
      return piece("number", `${name === "$max" ? "highest" : "lowest"}(${list(args)})`);
    case "$not":
      if (first) return piece("bool", `!${asTruth(first)}`);
      break;
    case "String":
      return first ? piece("string", asText(first)) : piece("string", '""');
    case "Number":
      return first ? piece("number", `number(${asArgument(first)})`) : piece("int", "0", { literal: 0 });
    case "Boolean":
      return first ? piece("bool", asTruth(first)) : piece("bool", "false");
    case "JSON.stringify": {
      if (!first) break;
      const indent = third && (third.kind === "string" ? `, ${third.code.length - 2}` : `, ${asArgument(third)}`);
      return piece("dyn", `toJson(${asArgument(first)}${indent ?? ""})`);
    }
    case "Array.from":
      if (first?.kind === "list" && args.length === 1) return first;
      break;
    case "Array.of":
      return piece("list", `[${args.map(asValue).join(", ")}]`);
    case "Math.random":
      break;
    case "encodeURI":
    case "decodeURI":
      if (first)
        return piece("string", `${name === "encodeURI" ? "encodeUrl" : "decodeUrl"}(${asArgument(first)}, true)`);
      break;
    // n8n gives its expressions the stricter functions of Number under these names.
    case "isNaN":
    case "Number.isNaN":
      if (first?.kind === "number") return piece("bool", `isNaN(${first.code})`);
      if (first) return piece("bool", "false");
      break;
    case "isFinite":
    case "Number.isFinite":
      if (first)
        return piece(
          "bool",
          `(typeName(${asArgument(first)}) == "number" && !isNaN(number(${asArgument(first)}) * 0.0))`,
        );
      break;
    case "Date.now":
      return piece("number", "millis(now)");
    case "Array":
      if (first && args.length === 1 && (first.kind === "int" || first.kind === "number"))
        return piece("list", `range(${asNumber(first)})`);
      break;
    case "DateTime.now":
    case "DateTime.local":
      if (args.length === 0) return piece("date", "now", local);
      break;
    case "DateTime.utc":
      if (args.length === 0) return piece("date", "now", { zone: '"UTC"' });
      break;
    case "DateTime.fromISO":
    case "DateTime.fromSQL":
      if (first) return piece("date", `date(${asText(first)}${zoneArgument})`, { ...local, uncertain: true });
      break;
    case "DateTime.fromJSDate":
      if (first?.kind === "date") return piece("date", first.code, local);
      if (first) return piece("date", `date(${asArgument(first)})`, local);
      break;
    case "DateTime.fromMillis":
      if (first) return piece("date", `date(${asNumber(first)})`, { ...local, uncertain: true });
      break;
    case "DateTime.fromSeconds":
      if (first) return piece("date", `date(${asNumber(first)} * 1000.0)`, { ...local, uncertain: true });
      break;
    case "DateTime.fromFormat":
    case "DateTime.fromString":
      if (first && second)
        return piece("date", `readDate(${asText(first)}, ${asText(second)}${zoneArgument})`, {
          ...local,
          uncertain: true,
        });
      break;
    case "Duration.fromObject":
      if (first?.duration) return first;
      break;
    default:
  }
  throw new NoExpression(`the function ${name}`);
}

function dyn(one: Piece): string {
  return one.kind === "dyn" || one.kind === "opt" ? asValue(one) : `dyn(${asValue(one)})`;
}

/** `$fromAI("name", "what it is", "string", default)`: the model's part of a tool. */
function fromAi(args: readonly Piece[]): Piece {
  const [name, description, type, fallback] = args;
  if (typeof name?.literal !== "string") throw new NoExpression("$fromAI with a name that is worked out");
  const key = name.literal.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64) || "value";
  const words = typeof description?.literal === "string" ? description.literal : "";
  const wanted = typeof type?.literal === "string" ? type.literal.toLowerCase() : "string";
  const known = ["string", "number", "integer", "boolean", "array", "object", "json"].includes(wanted)
    ? wanted
    : "string";
  const last = fallback === undefined || fallback.kind === "null" ? "" : `, ${asValue(fallback)}`;
  return piece("dyn", `ai(${quoted(key)}, ${quoted(words)}, ${quoted(known)}${last})`);
}

/** `new Date(…)` and `new Set(list)`. */
export function construct(name: string, args: readonly Piece[]): Piece {
  const [first, ...more] = args;
  if (name === "Date" && !first) return piece("date", "now", { plain: true });
  if (name === "Date" && first && more.length === 0)
    return piece("date", first.kind === "date" ? first.code : `date(${asArgument(first)})`, {
      plain: true,
      uncertain: true,
    });
  if (name === "Set" && first) {
    const held =
      first.kind === "opt" || first.kind === "dyn" ? `coalesce(${asArgument(first)}, [])` : asArgument(first);
    return piece("list", `unique(${held})`);
  }
  throw new NoExpression(`new ${name}`);
}

/** The amounts and units of `{ days: 1 }` where a length of time may be meant, or undefined. */
export function durationOf(entries: readonly (readonly [string, Piece])[]): Piece["duration"] {
  if (entries.length === 0 || !entries.every(([unit]) => dateUnits.has(unit))) return undefined;
  return entries.map(([unit, value]) => [amountOf(value), quoted(unit)] as const);
}
