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
import { checked } from "./pattern.ts";
import { dateMethod } from "./date-methods.ts";
import { spanIn } from "./members.ts";

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
      if (first && object.kind === "list") return piece("list", `${here}.map(each_, ${asValue(first)})`);
      break;
    case "substring":
      return substring(here, first, second);
    case "substr": {
      if (!first) return piece("string", `slice(${here})`);
      const from = asNumber(first);
      const rest = `slice(${here}, ${from})`;
      return piece("string", second ? `slice(${rest}, 0, highest(0, ${asNumber(second)}))` : rest);
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
      if (name === "itemMatching") return special({ is: "item", code: is.item ?? is.code });
      if (name === "first" || name === "last")
        return special({ is: "item", code: is.isList ? `${name}(items(${is.code}))` : is.code });
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
