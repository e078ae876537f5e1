import type { CodeFile } from "./code-file.ts";

type Write = (args: readonly string[], file: CodeFile) => string;

const text = (file: CodeFile, value: string | undefined) => `${file.helper("text")}(${value ?? '""'})`;
const list = (file: CodeFile, value: string | undefined) => `${file.helper("listOf")}(${value ?? "[]"})`;
const onText =
  (method: string): Write =>
  ([value, ...rest], file) =>
    `${text(file, value)}.${method}(${rest.join(", ")})`;
const onList =
  (method: string): Write =>
  ([value, ...rest], file) =>
    `${list(file, value)}.${method}(${rest.join(", ")})`;
const math =
  (name: string): Write =>
  ([value]) =>
    `Math.${name}(Number(${value}))`;

/** Functions of expressions as TypeScript; what is not listed is not carried. */
const functions: Readonly<Record<string, Write>> = {
  size: ([value], file) => `${file.helper("sizeOf")}(${value})`,
  length: ([value], file) => `${file.helper("sizeOf")}(${value})`,
  has: ([value]) => `(${value} !== undefined)`,
  string: ([value], file) => text(file, value),
  text: ([value], file) => text(file, value),
  concat: (args, file) => `[${args.map((one) => text(file, one)).join(", ")}].join("")`,
  int: ([value]) => `Math.trunc(Number(${value}))`,
  uint: ([value]) => `Math.trunc(Number(${value}))`,
  double: ([value]) => `Number(${value})`,
  number: ([value]) => `Number(${value})`,
  bool: ([value]) => `(String(${value}) === "true")`,
  truthy: ([value]) => `Boolean(${value})`,
  isNothing: ([value]) => `(${value} == null)`,
  isList: ([value]) => `Array.isArray(${value})`,
  toJson: ([value]) => `JSON.stringify(${value})`,
  parseJson: ([value], file) => `(JSON.parse(${text(file, value)}) as Json)`,
  coalesce: (args) => `(${args.join(" ?? ")})`,
  lower: onText("toLowerCase"),
  upper: onText("toUpperCase"),
  trim: onText("trim"),
  trimStart: onText("trimStart"),
  trimEnd: onText("trimEnd"),
  padStart: onText("padStart"),
  padEnd: onText("padEnd"),
  repeat: onText("repeat"),
  split: onText("split"),
  replaceAll: onText("replaceAll"),
  replace: onText("replace"),
  includes: ([value, part], file) => `${file.helper("isIn")}(${part}, ${value})`,
  beginsWith: onText("startsWith"),
  finishesWith: onText("endsWith"),
  encodeUrl: ([value, whole], file) => `${whole === "true" ? "encodeURI" : "encodeURIComponent"}(${text(file, value)})`,
  decodeUrl: ([value, whole], file) => `${whole === "true" ? "decodeURI" : "decodeURIComponent"}(${text(file, value)})`,
  join: onList("join"),
  first: ([value], file) => `${list(file, value)}[0]`,
  last: ([value], file) => `${list(file, value)}.at(-1)`,
  at: onList("at"),
  reverse: onList("toReversed"),
  flatten: onList("flat"),
  unique: ([value], file) => `[...new Set(${list(file, value)})]`,
  compact: ([value], file) => `${list(file, value)}.filter((one) => one != null && one !== "")`,
  keys: ([value]) => `Object.keys(${value} ?? {})`,
  values: ([value]) => `Object.values(${value} ?? {})`,
  entries: ([value]) => `Object.entries(${value} ?? {})`,
  fromEntries: ([value], file) => `Object.fromEntries(${list(file, value)})`,
  hasKey: ([value, key]) => `Object.hasOwn(${value} ?? {}, ${key})`,
  mergeObjects: (args) => `{ ${args.map((one) => `...${one}`).join(", ")} }`,
  equals: ([a, b], file) => `${file.helper("isEqual")}(${a}, ${b})`,
  round: ([value, digits]) => `Number(Number(${value}).toFixed(${digits ?? 0}))`,
  fixed: ([value, digits]) => `Number(${value}).toFixed(${digits ?? 0})`,
  floor: math("floor"),
  ceil: math("ceil"),
  trunc: math("trunc"),
  sign: math("sign"),
  abs: math("abs"),
  sqrt: math("sqrt"),
  power: ([base, exponent]) => `Number(${base}) ** Number(${exponent})`,
  sum: ([value], file) => `${list(file, value)}.reduce((sum: number, one) => sum + Number(one), 0)`,
};

/** Methods of expressions as TypeScript. */
const methods: Readonly<Record<string, Write>> = {
  size: ([value], file) => `${file.helper("sizeOf")}(${value})`,
  contains: onText("includes"),
  startsWith: onText("startsWith"),
  endsWith: onText("endsWith"),
  lowerAscii: onText("toLowerCase"),
  upperAscii: onText("toUpperCase"),
  trim: onText("trim"),
  split: onText("split"),
  substring: onText("substring"),
  indexOf: onText("indexOf"),
  replace: onText("replaceAll"),
  join: onList("join"),
  orValue: ([value, otherwise]) => `(${value} ?? ${otherwise})`,
  hasValue: ([value]) => `(${value} !== undefined)`,
  value: ([value]) => String(value),
};

/** A call of a function, or undefined where it has no counterpart. */
export function functionCode(name: string, args: readonly string[], file: CodeFile): string | undefined {
  return Object.hasOwn(functions, name) ? functions[name]?.(args, file) : undefined;
}

/** A call of a method, or undefined where it has no counterpart. */
export function methodCode(name: string, object: string, args: readonly string[], file: CodeFile): string | undefined {
  return Object.hasOwn(methods, name) ? methods[name]?.([object, ...args], file) : undefined;
}
