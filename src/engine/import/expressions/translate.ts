import {
  type AnyNode,
  type ArrowFunctionExpression,
  type Expression,
  type FunctionExpression,
  parseExpressionAt,
  type Pattern,
  type SpreadElement,
  type Statement,
  type SwitchCase,
} from "acorn";
import { compileExpression } from "../../template/expression.ts";
import { TemplateProblem } from "../../template/template-problem.ts";
import { call, construct, durationOf, isNamespace } from "./functions.ts";
import { indexed, type Alias, member, type Names, path } from "./members.ts";
import { method } from "./methods.ts";
import {
  AlwaysFails,
  asArgument,
  asBase,
  asNumber,
  asText,
  asTruth,
  asValue,
  asWritten,
  double,
  either,
  isName,
  NoExpression,
  type Piece,
  piece,
  quoted,
  special,
} from "./piece.ts";

/** What an expression is translated with. */
export interface TranslateOptions {
  names: Names;
  /** The time zone that dates count in, as in the workflow's settings. */
  zone?: string | undefined;
}

/** The CEL text, or why there is none. */
export type Translated = { ok: true; cel: string; kind: Piece["kind"] } | { ok: false; reason: string };

type Locals = ReadonlyMap<string, Piece>;

/**
 * Translates a JavaScript expression, as n8n evaluates it, over its syntax tree; nothing is evaluated. What JavaScript
 * answers with a TypeError, such as a path through something missing, gives null, as n8n does.
 */
export function translate(source: string, options: TranslateOptions): Translated {
  return attempt(() => translatePiece(source, options));
}

/** The piece that an expression is, to be made part of a larger one. Throws NoExpression or SyntaxError. */
export function translatePiece(source: string, options: TranslateOptions): Piece {
  if (source.length > 20_000) throw new NoExpression("so much text");
  return new Translator(options).expression(parseWhole(source), new Map());
}

/** What `make` gives as a whole expression, or why there is none. */
export function attempt(make: () => Piece): Translated {
  try {
    const result = make();
    const cel = whole(result);
    compileExpression(cel);
    return { ok: true, cel, kind: result.kind };
  } catch (error) {
    if (error instanceof AlwaysFails) return { ok: true, cel: "null", kind: "null" };
    if (error instanceof NoExpression) return { ok: false, reason: error.message };
    if (error instanceof TemplateProblem) return { ok: false, reason: error.message };
    if (error instanceof SyntaxError) return { ok: false, reason: "it is not valid JavaScript" };
    if (error instanceof RangeError) return { ok: false, reason: "it nests too deeply" };
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

const onlyPath = /^(?:json|nodes)(?:\.\??\w+|\[\??(?:\d+|"[^"\\]*")\])+$/;

/** Names that JavaScript has and expressions here do not. */
const globals = new Set(
  "Buffer Intl Map WeakMap RegExp Symbol URL URLSearchParams crypto luxon Interval Promise Error Reflect Proxy BigInt globalThis window process require setTimeout escape unescape structuredClone extend".split(
    " ",
  ),
);

/** The piece as a part of a larger expression, in which a failure of it alone gives null. */
export function contained(result: Piece): Piece {
  if (result.special || result.literal !== undefined || result.kind === "null") return result;
  if (result.kind === "opt" && onlyPath.test(result.code)) {
    const code = optionalPath(result.code);
    return piece("opt", code, { strict: `${code}.value()` });
  }
  const plain = asValue(result);
  return cannotFail(plain) ? result : piece("dyn", `maybe(${plain})`);
}

/** The piece as an expression that gives null where JavaScript fails. */
function whole(result: Piece): string {
  if (result.kind === "opt" && onlyPath.test(result.code)) return `${optionalPath(result.code)}.orValue(null)`;
  const plain = result.kind === "date" ? asWritten(result) : asValue(result);
  return cannotFail(plain) ? plain : `maybe(${plain})`;
}

/** Every step of a path optional: `json.a.?b` → `json.?a.?b`. The first step behind `nodes` names a node. */
function optionalPath(code: string): string {
  return code.replace(/"[^"]*"|\.(?!\?)|\[(?!\?)/g, (one) => (one.startsWith('"') ? one : `${one}?`));
}

/** Whether CEL cannot fail on it: values as written, and what asks the model. */
function cannotFail(code: string): boolean {
  return /^(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null|now|json|ai\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)|iso\(now(?:, "[^"]*")?\)|run\.id|workflow\.(?:name|id))$/.test(
    code,
  );
}

function parseWhole(source: string): Expression {
  const text = `(${source.trim().replace(/;+$/, "")}\n)`;
  const root = parseExpressionAt(text, 0, { ecmaVersion: 2024 });
  const rest = text.slice(root.end).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "");
  if (!/^[)\s]*$/.test(rest)) throw new SyntaxError("more follows");
  return root;
}

const comparisons: Readonly<Record<string, (a: Piece, b: Piece) => string>> = {
  "<": (a, b) => less(a, b),
  ">": (a, b) => less(b, a),
  "<=": (a, b) => atMost(a, b),
  ">=": (a, b) => atMost(b, a),
};

const isNumber = (one: Piece) => one.kind === "number" || one.kind === "int" || one.kind === "date";
const amount = (one: Piece) => (one.kind === "date" ? `millis(${one.code})` : asNumber(one));
/** A comparison; one with a date that cannot be read does not hold. */
const compared = (a: Piece, b: Piece, sign: "<" | "<=") => {
  const code = `${amount(a)} ${sign} ${amount(b)}`;
  return a.uncertain || b.uncertain ? `truthy(maybe(${code}))` : code;
};
const less = (a: Piece, b: Piece) =>
  isNumber(a) || isNumber(b) ? compared(a, b, "<") : `isLess(${asArgument(a)}, ${asArgument(b)})`;
const atMost = (a: Piece, b: Piece) =>
  isNumber(a) || isNumber(b) ? compared(a, b, "<=") : `isAtMost(${asArgument(a)}, ${asArgument(b)})`;

const mostSteps = 20_000;

class Translator {
  private readonly options: TranslateOptions;
  private fresh = 0;
  private steps = 0;
  /** How many `Math.max(...)` stand around, which make numbers of what they are given. */
  private inMath = 0;
  /** How many `JSON.stringify` stand around, which leave out what is missing. */
  private inJson = 0;

  constructor(options: TranslateOptions) {
    this.options = options;
  }

  private get zone(): string | undefined {
    return this.options.zone === undefined ? undefined : quoted(this.options.zone);
  }

  expression(node: AnyNode, locals: Locals): Piece {
    // Names stand for what they were given, and chains of `?.` ask again at each step: both can grow without end.
    this.steps += 1;
    if (this.steps > mostSteps) throw new NoExpression("so much that depends on itself");
    switch (node.type) {
      case "Literal":
        return this.literal(node);
      case "TemplateLiteral":
        return this.template(node, locals);
      case "Identifier":
        return this.identifier(node.name, locals);
      case "ParenthesizedExpression":
        return this.expression(node.expression, locals);
      case "ChainExpression":
        return this.expression(node.expression, locals);
      case "MemberExpression":
        return this.member(node, locals);
      case "CallExpression":
        return this.call(node, locals);
      case "NewExpression":
        if (node.callee.type !== "Identifier") break;
        return construct(node.callee.name, this.arguments(node.arguments, locals));
      case "ConditionalExpression": {
        const [test, yes, no] = [node.test, node.consequent, node.alternate].map((one) => this.expression(one, locals));
        if (test && yes && no) return either(asTruth(test), yes, no);
        break;
      }
      case "LogicalExpression":
        return this.logical(node.operator, this.expression(node.left, locals), this.expression(node.right, locals));
      case "BinaryExpression":
        if (node.left.type === "PrivateIdentifier") break;
        return this.binary(node.operator, this.expression(node.left, locals), this.expression(node.right, locals));
      case "UnaryExpression":
        return this.unary(node.operator, node.argument, locals);
      case "ArrayExpression":
        return this.list(node.elements, locals);
      case "ObjectExpression":
        return this.object(node, locals);
      default:
    }
    throw new NoExpression(wordsOf(node.type));
  }

  private literal(node: Extract<AnyNode, { type: "Literal" }>): Piece {
    if (node.regex) return special({ is: "regex", source: node.regex.pattern, flags: node.regex.flags });
    const { value } = node;
    if (typeof value === "string") return piece("string", quoted(value), { literal: value });
    if (typeof value === "boolean") return piece("bool", String(value));
    if (typeof value === "number") {
      const whole = Number.isSafeInteger(value) && !Object.is(value, -0);
      return whole
        ? piece("int", String(value), { literal: value })
        : piece("number", double(value), { literal: value });
    }
    if (value === null) return piece("null", "null");
    throw new NoExpression("a large whole number");
  }

  private template(node: Extract<AnyNode, { type: "TemplateLiteral" }>, locals: Locals): Piece {
    const parts: Piece[] = [];
    for (const [index, quasi] of node.quasis.entries()) {
      const text = quasi.value.cooked ?? quasi.value.raw;
      if (text !== "") parts.push(piece("string", quoted(text), { literal: text }));
      const inner = node.expressions[index];
      if (inner) parts.push(this.expression(inner, locals));
    }
    const [only] = parts;
    if (!only) return piece("string", '""', { literal: "" });
    if (parts.length === 1 && only.literal !== undefined && typeof only.literal === "string") return only;
    return piece("string", concat(parts));
  }

  private identifier(name: string, locals: Locals): Piece {
    const local = locals.get(name);
    if (local) return local;
    switch (name) {
      case "$json":
      case "$data":
        return piece("map", this.options.names.input ?? "json");
      case "$input":
        return special({ is: "node", code: this.options.names.input ?? "json" });
      case "$node":
        return special({ is: "nodes" });
      case "$now":
        return piece("date", "now", this.zone === undefined ? {} : { zone: this.zone });
      case "$today":
        return piece(
          "date",
          `startOf(now, "day"${this.zone === undefined ? "" : `, ${this.zone}`})`,
          this.zone === undefined ? {} : { zone: this.zone },
        );
      case "$workflow":
        return piece("map", "workflow");
      case "$execution":
        return special({ is: "execution" });
      case "$vars":
      case "$env":
        return piece("map", "vars");
      case "$itemIndex":
      case "$runIndex":
      case "$position":
        return piece("int", "0", { literal: 0 });
      case "undefined":
        return piece("opt", "optional.none()", { strict: "optional.none().value()" });
      case "NaN":
      case "Infinity":
        return piece("number", `number("${name}")`);
      default:
    }
    if (isNamespace(name)) return special({ is: "namespace", name });
    if (name.startsWith("$") || globals.has(name)) throw new NoExpression(`the name ${name}`);
    throw new AlwaysFails(name);
  }

  private member(node: Extract<AnyNode, { type: "MemberExpression" }>, locals: Locals): Piece {
    if (node.object.type === "Super" || node.property.type === "PrivateIdentifier")
      throw new NoExpression("a private name");
    const other = this.renamed(node, locals);
    if (other) return other;
    const base = this.expression(node.object, locals);
    const optional = node.optional || isChained(node.object);
    if (!node.computed && node.property.type === "Identifier")
      return member(base, node.property.name, optional, this.options.names);
    const key = this.expression(node.property, locals);
    if (typeof key.literal === "string") return member(base, key.literal, optional, this.options.names);
    const { literal } = key;
    if (typeof literal === "number" && Number.isInteger(literal) && literal >= 0 && !base.special) {
      return path(base, literal, optional);
    }
    return indexed(base, key);
  }

  /** A key of what a service sends, which stands here in the body of the request. */
  private insideOf(name: string, keys: readonly (string | number)[]): Alias | undefined {
    const holder = this.options.names.inside?.(name);
    const [key] = keys;
    if (holder === undefined || keys.length !== 1 || key === undefined) return undefined;
    return ["body", "headers", "query", "method"].includes(String(key))
      ? undefined
      : { from: [key], to: [holder, key] };
  }

  /** A path whose first keys have another name here: both are looked for. */
  private renamed(node: Extract<AnyNode, { type: "MemberExpression" }>, locals: Locals): Piece | undefined {
    const { keys, root } = chainOf(node);
    const name = root && sourceName(root);
    if (name === undefined || root === undefined) return undefined;
    const matches = ({ from }: Alias) => from.length === keys.length && from.every((key, at) => key === keys[at]);
    const alias = this.options.names.aliases?.(name).find(matches) ?? this.insideOf(name, keys);
    if (!alias) return undefined;
    const base = this.expression(root, locals);
    const through = (steps: readonly (string | number)[]) =>
      steps.reduce<string>((code, key) => {
        if (typeof key === "number") return `${code}[?${key}]`;
        return isName(key) ? `${code}.?${key}` : `${code}[?${quoted(key)}]`;
      }, base.code);
    const code = `${through(alias.from)}.or(${through(alias.to)})`;
    return piece("opt", code, { strict: `${code}.value()` });
  }

  private call(node: Extract<AnyNode, { type: "CallExpression" }>, locals: Locals): Piece {
    const { callee } = node;
    if (callee.type === "ArrowFunctionExpression" || callee.type === "FunctionExpression") {
      if (callee.params.length > 0 || callee.async) throw new NoExpression("a function with parameters");
      return this.body(callee, locals);
    }
    if (callee.type === "Identifier") {
      const name = callee.name;
      if (locals.has(name) || !isNamespace(name)) throw new NoExpression(`the function ${name}`);
      const [first] = node.arguments;
      if (name === "Array" && first && first.type !== "SpreadElement" && node.arguments.length === 1)
        return piece("list", `range(${asNumber(this.expression(first, locals))})`);
      return call(name, this.arguments(node.arguments, locals), this.options.names, this.zone);
    }
    if (callee.type !== "MemberExpression" || callee.object.type === "Super")
      throw new NoExpression("a call of what is worked out");
    const name = this.methodName(callee, locals);
    const object = this.expression(callee.object, locals);
    if (object.special?.is === "namespace") {
      const full = `${object.special.name}.${name}`;
      if (full === "Array.from") return this.listFrom(node.arguments, locals);
      if ((full === "Math.max" || full === "Math.min") && node.arguments.some((one) => one.type === "SpreadElement"))
        return this.extreme(name, node.arguments, locals);
      if (full === "JSON.stringify") {
        this.inJson += 1;
        const args = this.arguments(node.arguments, locals);
        this.inJson -= 1;
        return call(full, args, this.options.names, this.zone);
      }
      return call(
        `${object.special.name}.${name}`,
        this.arguments(node.arguments, locals),
        this.options.names,
        this.zone,
      );
    }
    const guarded = callee.optional ? callee.object : guardOf(callee.object);
    if (guarded) {
      const guard = callee.optional ? object : this.expression(guarded, locals);
      const here = piece(
        object.kind === "opt" ? "dyn" : object.kind,
        callee.optional ? asValue(object) : asBase(object),
      );
      const result = this.methodCall(here, name, node.arguments, locals);
      return either(`isNothing(${asArgument(guard)})`, piece("null", "null"), result);
    }
    return this.methodCall(object, name, node.arguments, locals);
  }

  private methodName(callee: Extract<AnyNode, { type: "MemberExpression" }>, locals: Locals): string {
    if (!callee.computed && callee.property.type === "Identifier") return callee.property.name;
    if (callee.property.type !== "PrivateIdentifier") {
      const { literal } = this.expression(callee.property, locals);
      if (typeof literal === "string") return literal;
    }
    throw new NoExpression("a method whose name is worked out");
  }

  private methodCall(
    object: Piece,
    name: string,
    args: readonly (Expression | SpreadElement)[],
    locals: Locals,
  ): Piece {
    const [first, second] = args;
    if (first && (first.type === "ArrowFunctionExpression" || first.type === "FunctionExpression")) {
      return this.loop(object, name, first, second, locals);
    }
    if (first?.type === "Identifier" && first.name === "Boolean" && name === "filter") {
      return piece("list", `${listBase(object)}.filter(x, truthy(x))`);
    }
    if (first?.type === "Identifier" && ["String", "Number"].includes(first.name) && name === "map") {
      return piece("list", `${listBase(object)}.map(x, ${first.name === "String" ? "concat" : "number"}(x))`);
    }
    return method(object, name, this.arguments(args, locals), this.zone);
  }

  /** `Math.max(...list)`, and with more beside the list. */
  private extreme(name: string, args: readonly (Expression | SpreadElement)[], locals: Locals): Piece {
    this.inMath += 1;
    const { code } = this.list(args, locals);
    this.inMath -= 1;
    const whole = code.startsWith("append(") || args.length > 1 ? code : `append(${code})`;
    return piece("number", `${name === "max" ? "highest" : "lowest"}(${whole})`);
  }

  /** `Array.from({ length: 3 }, (_, index) => …)` and `Array.from(new Set(list))`. */
  private listFrom(args: readonly (Expression | SpreadElement)[], locals: Locals): Piece {
    const [source, each] = args;
    if (!source || source.type === "SpreadElement") throw new NoExpression("arguments from a list");
    const from = this.expression(source, locals);
    const length = from.entries?.length === 1 && from.entries[0]?.[0] === "length" ? from.entries[0][1] : undefined;
    const list = length ? piece("list", `range(${asNumber(length)})`) : from;
    if (list.kind !== "list") throw new NoExpression("the function Array.from");
    if (!each) return list;
    if (each.type !== "ArrowFunctionExpression" && each.type !== "FunctionExpression")
      throw new NoExpression("a function as an argument");
    return this.loop(list, "map", each, undefined, locals);
  }

  /** `list.map(x => …)` and its kin. */
  private loop(
    object: Piece,
    name: string,
    fn: ArrowFunctionExpression | FunctionExpression,
    initial: Expression | SpreadElement | undefined,
    locals: Locals,
  ): Piece {
    if (fn.async || fn.generator) throw new NoExpression("an asynchronous function");
    const { params } = fn;
    if (name === "reduce") return this.reduce(object, fn, initial, locals);
    if (name === "sort" || name === "toSorted") return this.sort(object, fn, locals);
    if (name === "replace" || name === "replaceAll") throw new NoExpression("a replacement that is worked out");
    const [element, index, whole] = params;
    const name1 = this.newName(element);
    const isItem = object.special?.is === "all";
    const withIndex = index !== undefined;
    const code = withIndex ? `indexed(${listBase(object)})` : listBase(object);
    const inner = new Map(locals);
    const here = withIndex ? `${name1}.item` : name1;
    if (element) this.bind(element, isItem ? special({ is: "item", code: here }) : piece("dyn", here), inner);
    if (index) this.bind(index, piece("number", `${name1}.index`), inner);
    if (whole) this.bind(whole, isItem ? object : piece("list", listBase(object)), inner);
    const result = this.body(fn, inner);
    const back = (filtered: string) => (withIndex ? `${filtered}.map(${name1}, ${name1}.item)` : filtered);
    switch (name) {
      case "map":
        return piece("list", `${code}.map(${name1}, ${this.inMath > 0 ? asNumber(result) : asValue(result)})`);
      case "flatMap":
        return piece("list", `flatten(${code}.map(${name1}, ${asValue(result)}))`);
      case "filter": {
        const filtered = back(`${code}.filter(${name1}, ${asTruth(result)})`);
        return isItem ? special({ is: "all", code: filtered }) : piece("list", filtered);
      }
      case "find":
      case "findLast": {
        const filtered = `${name === "find" ? "first" : "last"}(${back(`${code}.filter(${name1}, ${asTruth(result)})`)})`;
        return isItem ? special({ is: "item", code: filtered }) : piece("dyn", filtered);
      }
      case "findIndex":
        return piece("number", `indexOf(${code}.map(${name1}, ${asTruth(result)}), true)`);
      case "some":
        return piece("bool", `${code}.exists(${name1}, ${asTruth(result)})`);
      case "every":
        return piece("bool", `${code}.all(${name1}, ${asTruth(result)})`);
      default:
    }
    throw new NoExpression(`the method ${name}`);
  }

  /** A sum or a join; other reductions have no counterpart. */
  private reduce(
    object: Piece,
    fn: ArrowFunctionExpression | FunctionExpression,
    initial: Expression | SpreadElement | undefined,
    locals: Locals,
  ): Piece {
    const [total, element, more] = fn.params;
    const one = this.gathered(object, fn, initial, locals);
    if (one) return one;
    const body = fn.body.type === "BlockStatement" ? undefined : fn.body;
    const left = body?.type === "BinaryExpression" && body.operator === "+" ? body.left : undefined;
    const isTotal = (node: AnyNode | undefined) =>
      node?.type === "Identifier" && total?.type === "Identifier" && node.name === total.name;
    if (!element || more || !body || body.type !== "BinaryExpression" || !isTotal(left))
      throw new NoExpression("this reduce");
    const start = initial && initial.type !== "SpreadElement" ? this.expression(initial, locals) : undefined;
    if (start && start.kind !== "int" && start.kind !== "number") throw new NoExpression("this reduce");
    const name = this.newName(element);
    const inner = new Map(locals);
    this.bind(element, object.special?.is === "all" ? special({ is: "item", code: name }) : piece("dyn", name), inner);
    const value = this.expression(body.right, inner);
    if (value.kind === "string") throw new NoExpression("this reduce");
    if (!start) {
      if (body.right.type !== "Identifier" || element.type !== "Identifier" || body.right.name !== element.name)
        throw new NoExpression("this reduce");
      // Without a first value there must be one in the list.
      return piece("dyn", `(isEmpty(${listBase(object)}) ? null : dyn(sum(${listBase(object)})))`);
    }
    return piece(
      "number",
      `(${asNumber(start)} + sum(${listBase(object)}.map(${name}, number(${asArgument(value)}))))`,
    );
  }

  /** `reduce((all, x) => ({ ...all, [x.key]: x.value }), {})`: one object of many. */
  private gathered(
    object: Piece,
    fn: ArrowFunctionExpression | FunctionExpression,
    initial: Expression | SpreadElement | undefined,
    locals: Locals,
  ): Piece | undefined {
    const [total, element, more] = fn.params;
    const body = fn.body.type === "BlockStatement" ? returned(fn.body.body) : fn.body;
    const inside = body?.type === "ParenthesizedExpression" ? body.expression : body;
    if (!element || more || total?.type !== "Identifier" || inside?.type !== "ObjectExpression") return undefined;
    const [spread, ...rest] = inside.properties;
    if (spread?.type !== "SpreadElement" || spread.argument.type !== "Identifier") return undefined;
    if (spread.argument.name !== total.name || !initial || initial.type === "SpreadElement") return undefined;
    const start = this.expression(initial, locals);
    if (start.kind !== "map") return undefined;
    const name = this.newName(element);
    const inner = new Map(locals);
    // What was gathered so far is not known within the rest.
    inner.set(total.name, special({ is: "gathered" }));
    this.bind(element, object.special?.is === "all" ? special({ is: "item", code: name }) : piece("dyn", name), inner);
    const one = this.object({ ...inside, properties: rest }, inner);
    const all = `mergeObjects(${listBase(object)}.map(${name}, ${asValue(one)}))`;
    return piece("map", start.code === "{}" ? all : `mergeObjects(${start.code}, ${all})`);
  }

  /** `(a, b) => a.key - b.key`, either way round, and whatever is worked out of both in the same way. */
  private sort(object: Piece, fn: ArrowFunctionExpression | FunctionExpression, locals: Locals): Piece {
    const [a, b] = fn.params;
    const body = fn.body.type === "BlockStatement" ? returned(fn.body.body) : fn.body;
    const sides = body && sidesOf(body);
    if (!a || !b || !sides) throw new NoExpression("this order");
    const isItem = object.special?.is === "all";
    const name = this.newName(undefined);
    const keyOf = (node: AnyNode, of: Pattern, other: Pattern): string | undefined => {
      const inner = new Map(locals);
      try {
        // The other one must not be looked at.
        for (const unseen of namesIn(other)) inner.set(unseen, special({ is: "gathered" }));
        this.bind(of, isItem ? special({ is: "item", code: name }) : piece("dyn", name), inner);
        return asArgument(this.expression(node, inner));
      } catch (error) {
        if (error instanceof NoExpression) return undefined;
        throw error;
      }
    };
    const up = keyOf(sides.left, a, b);
    const down = keyOf(sides.left, b, a);
    const upwards = up !== undefined && keyOf(sides.right, b, a) === up;
    const key = upwards ? up : down !== undefined && keyOf(sides.right, a, b) === down ? down : undefined;
    if (key === undefined) throw new NoExpression("this order");
    const order = quoted(`${sides.by}${upwards ? "" : " desc"}`);
    const ofKey = key === name ? "" : key.startsWith(`${name}.?`) ? key.slice(name.length + 2) : undefined;
    const byKey = ofKey !== undefined && /^\w*$/.test(ofKey);
    const code = byKey
      ? `sortBy(${listBase(object)}, ${quoted(ofKey)}, ${order})`
      : `sortBy(${listBase(object)}.map(${name}, {"item": ${name}, "key": ${key}}), "key", ${order}).map(${name}, ${name}.item)`;
    return isItem ? special({ is: "all", code }) : piece("list", code);
  }

  /** The cases of a switch, each of which returns. */
  private chosen(
    value: Piece,
    cases: readonly { tests: readonly Expression[]; body: readonly Statement[] }[],
    otherwise: readonly Statement[],
    locals: Map<string, Piece>,
  ): Piece {
    const [one, ...more] = cases;
    if (!one) return this.block(otherwise, new Map(locals));
    const test = one.tests.map((test) => this.equality("===", value, this.expression(test, locals))).join(" || ");
    const yes = this.block(one.body, new Map(locals));
    return either(`(${test})`, yes, this.chosen(value, more, otherwise, locals));
  }

  /** What a function gives: its expression, or a block of declarations, ifs and a return. */
  private body(fn: ArrowFunctionExpression | FunctionExpression, locals: Locals): Piece {
    if (fn.body.type !== "BlockStatement") return this.expression(fn.body, locals);
    return this.block(fn.body.body, new Map(locals));
  }

  private block(statements: readonly Statement[], locals: Map<string, Piece>): Piece {
    const [statement, ...rest] = statements;
    if (!statement) return piece("null", "null");
    switch (statement.type) {
      case "EmptyStatement":
        return this.block(rest, locals);
      case "VariableDeclaration":
        for (const { id, init } of statement.declarations) {
          if (!init) throw new NoExpression("a variable that changes");
          this.bind(id, this.expression(init, locals), locals);
        }
        return this.block(rest, locals);
      case "ReturnStatement":
        return statement.argument ? this.expression(statement.argument, locals) : piece("null", "null");
      case "IfStatement": {
        const yes = blockOf(statement.consequent);
        const other = statement.alternate ? blockOf(statement.alternate) : [];
        const no = ends(other) ? other : [...other, ...rest];
        if (!ends(yes)) throw new NoExpression("a variable that changes");
        const test = asTruth(this.expression(statement.test, locals));
        return either(test, this.block(yes, new Map(locals)), this.block(no, new Map(locals)));
      }
      case "SwitchStatement": {
        const value = this.expression(statement.discriminant, locals);
        const { cases, otherwise } = casesOf(statement.cases);
        return this.chosen(value, cases, otherwise ?? rest, locals);
      }
      case "TryStatement": {
        const handler = statement.handler?.body.body;
        if (!handler || statement.finalizer || !ends(statement.block.body) || !ends(handler)) break;
        const tried = this.block(statement.block.body, new Map(locals));
        return piece("dyn", `coalesce(maybe(${asValue(tried)}), ${asValue(this.block(handler, new Map(locals)))})`);
      }
      default:
    }
    throw new NoExpression(wordsOf(statement.type));
  }

  private bind(pattern: Pattern, value: Piece, locals: Map<string, Piece>): void {
    switch (pattern.type) {
      case "Identifier":
        locals.set(pattern.name, value);
        return;
      case "ObjectPattern":
        for (const property of pattern.properties) {
          if (property.type === "RestElement" || property.computed || property.key.type !== "Identifier") break;
          this.bind(property.value, member(value, property.key.name, false, this.options.names), locals);
        }
        if (
          pattern.properties.every((one) => one.type === "Property" && !one.computed && one.key.type === "Identifier")
        )
          return;
        break;
      case "ArrayPattern":
        for (const [index, element] of pattern.elements.entries()) {
          if (element) this.bind(element, path(value, index, false), locals);
        }
        return;
      case "AssignmentPattern": {
        const inner = this.expression(pattern.right, locals);
        return this.bind(
          pattern.left,
          piece("dyn", `(isNothing(${asArgument(value)}) ? ${free(inner)} : ${free(value)})`),
          locals,
        );
      }
      default:
    }
    throw new NoExpression("such parameters");
  }

  private newName(pattern: Pattern | undefined): string {
    this.fresh += 1;
    const wanted = pattern?.type === "Identifier" && /^[a-z][A-Za-z0-9]*$/.test(pattern.name) ? pattern.name : "x";
    const taken = ["json", "nodes", "now", "vars", "run", "workflow", "in", "true", "false", "null"];
    return taken.includes(wanted) ? `${wanted}_` : this.fresh === 1 ? wanted : `${wanted}${this.fresh}`;
  }

  private arguments(args: readonly (Expression | SpreadElement)[], locals: Locals): Piece[] {
    if (args.length === 1 && args[0]?.type === "SpreadElement") return [this.expression(args[0].argument, locals)];
    return args.map((one) => {
      if (one.type === "SpreadElement") throw new NoExpression("arguments from a list");
      if (one.type === "ArrowFunctionExpression" || one.type === "FunctionExpression")
        throw new NoExpression("a function as an argument");
      return this.expression(one, locals);
    });
  }

  private logical(operator: string, left: Piece, right: Piece): Piece {
    if (left.kind === "bool" && right.kind === "bool" && operator !== "??") {
      return piece("bool", `(${left.code} ${operator} ${right.code})`);
    }
    if (operator === "&&") return either(asTruth(left), right, left);
    const name = operator === "||" ? "fallback" : "coalesce";
    const chained =
      left.code.startsWith(`${name}(`) &&
      left.kind === "dyn" &&
      closesAtEnd(left.code, name.length) &&
      argumentCount(left.code) < 8;
    const parts = chained ? left.code.slice(name.length + 1, -1) : asArgument(left);
    return piece("dyn", `${name}(${parts}, ${asArgument(right)})`);
  }

  private binary(operator: string, left: Piece, right: Piece): Piece {
    const compare = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined;
    if (compare) return piece("bool", `(${compare(left, right)})`);
    switch (operator) {
      case "+":
        return this.sum(left, right);
      case "-":
      case "*":
      case "/":
        return piece(
          "number",
          `(${amount(left)} ${operator} ${amount(right)})`,
          left.uncertain || right.uncertain ? { uncertain: true } : {},
        );
      case "%":
        return piece("number", `(${amount(left)} % ${amount(right)})`);
      case "**":
        return piece("number", `power(${asArgument(left)}, ${asArgument(right)})`);
      case "===":
      case "!==":
      case "==":
      case "!=":
        return piece("bool", this.equality(operator, left, right));
      case "in":
        return piece("bool", `hasKey(${asBase(right)}, ${asArgument(left)})`);
      default:
        throw new NoExpression(`the operator ${operator}`);
    }
  }

  private sum(left: Piece, right: Piece): Piece {
    if (left.kind === "string" || right.kind === "string") {
      const before =
        left.code.startsWith("concat(") &&
        left.kind === "string" &&
        closesAtEnd(left.code, 6) &&
        argumentCount(left.code) < 14
          ? left.code.slice(7, -1)
          : asWritten(left);
      return piece("string", `concat(${before}, ${asWritten(right)})`);
    }
    if (isNumber(left) && isNumber(right) && left.kind !== "date" && right.kind !== "date")
      return piece("number", `(${asNumber(left)} + ${asNumber(right)})`);
    return piece("dyn", `plus(${asArgument(left)}, ${asArgument(right)})`);
  }

  private equality(operator: string, left: Piece, right: Piece): string {
    const negated = operator.startsWith("!");
    const loose = operator.length === 2;
    const isNull = (one: Piece) => one.kind === "null";
    const isMissing = (one: Piece) => one.kind === "opt" && one.code === "optional.none()";
    if (isNull(right) || isNull(left) || isMissing(right) || isMissing(left)) {
      const other = isNull(right) || isMissing(right) ? left : right;
      const here = asArgument(other);
      const strictNull = !loose && (isNull(right) || isNull(left));
      if (loose || (!strictNull && other.kind !== "opt")) return `${negated ? "!" : ""}isNothing(${here})`;
      const name = `typeName(${here})`;
      if (!strictNull) return `${name} ${negated ? "!=" : "=="} "undefined"`;
      const both = `(isNothing(${here}) && ${name} != "undefined")`;
      return negated ? `!${both}` : both;
    }
    const sameKind = left.kind === right.kind && ["string", "bool"].includes(left.kind);
    const numbers = isNumber(left) && isNumber(right);
    if (numbers) return `(${amount(left)} ${negated ? "!=" : "=="} ${amount(right)})`;
    if (!loose || sameKind) {
      const value = (one: Piece) =>
        one.kind === "opt" || one.kind === "dyn" ? asValue(one) : sameKind ? one.code : `dyn(${asValue(one)})`;
      return `(${value(left)} ${negated ? "!=" : "=="} ${value(right)})`;
    }
    return `${negated ? "!" : ""}equals(${asArgument(left)}, ${asArgument(right)})`;
  }

  private unary(operator: string, argument: Expression, locals: Locals): Piece {
    const inner = this.expression(argument, locals);
    switch (operator) {
      case "!":
        return piece(
          "bool",
          `!${inner.kind === "bool" && !/^[\w]+(\(.*\))?$/s.test(inner.code) ? `(${inner.code})` : asTruth(inner)}`,
        );
      case "-":
        if (typeof inner.literal === "number") return piece(inner.kind, `-${inner.code}`, { literal: -inner.literal });
        return piece("number", `(-${amount(inner)})`);
      case "+":
        return piece("number", amount(inner));
      case "typeof":
        return piece("string", inner.special ? '"object"' : `typeName(${asArgument(inner)})`);
      case "void":
        return piece("null", "null");
      default:
        throw new NoExpression(`the operator ${operator}`);
    }
  }

  private list(elements: readonly (Expression | SpreadElement | null)[], locals: Locals): Piece {
    const runs: string[] = [];
    let plain: string[] = [];
    for (const element of elements) {
      if (element?.type === "SpreadElement") {
        if (plain.length > 0) runs.push(`[${plain.join(", ")}]`);
        plain = [];
        const spread = this.expression(element.argument, locals);
        runs.push(asBase(spread));
      } else {
        plain.push(element ? asValue(this.expression(element, locals)) : "null");
      }
    }
    if (runs.length === 0) return piece("list", `[${plain.join(", ")}]`);
    if (plain.length > 0) runs.push(`[${plain.join(", ")}]`);
    return runs.length === 1 && elements.length === 1
      ? piece("list", runs[0] ?? "[]")
      : piece("list", `append(${runs.join(", ")})`);
  }

  private object(node: Extract<AnyNode, { type: "ObjectExpression" }>, locals: Locals): Piece {
    const runs: string[] = [];
    const entries: [string, Piece][] = [];
    let plain: string[] = [];
    for (const property of node.properties) {
      if (property.type === "SpreadElement") {
        if (plain.length > 0) runs.push(`{${plain.join(", ")}}`);
        plain = [];
        runs.push(asValue(this.expression(property.argument, locals)));
        continue;
      }
      if (property.kind !== "init" || property.method) throw new NoExpression("an object with methods");
      const value = this.expression(property.value, locals);
      if (!property.computed && property.key.type === "Identifier") entries.push([property.key.name, value]);
      const key =
        property.computed || property.key.type !== "Identifier"
          ? asText(this.expression(property.key, locals))
          : quoted(property.key.name);
      plain.push(`${key}: ${this.inJson > 0 && value.kind === "opt" ? asArgument(value) : asValue(value)}`);
    }
    if (runs.length > 0) {
      if (plain.length > 0) runs.push(`{${plain.join(", ")}}`);
      return piece("map", `mergeObjects(${runs.join(", ")})`);
    }
    const duration = entries.length === node.properties.length ? durationOf(entries) : undefined;
    // Whether a length of time or data is meant shows only where it is used.
    const known = entries.length === node.properties.length ? { entries } : {};
    return piece("map", `{${plain.join(", ")}}`, { ...known, ...(duration ? { duration } : {}) });
  }
}

/** The keys of a path and what it starts from. */
function chainOf(node: AnyNode): { keys: (string | number)[]; root: AnyNode | undefined } {
  const keys: (string | number)[] = [];
  let current: AnyNode = node;
  while (current.type === "MemberExpression" && sourceName(current) === undefined) {
    const { property } = current;
    if (property.type === "Identifier" && !current.computed) keys.unshift(property.name);
    else if (property.type === "Literal" && (typeof property.value === "string" || typeof property.value === "number"))
      keys.unshift(property.value);
    else return { keys, root: undefined };
    current = current.object;
  }
  return { keys, root: sourceName(current) === undefined ? undefined : current };
}

/** Whose output a piece of source stands for: a node's name, "" for the input, undefined for anything else. */
function sourceName(node: AnyNode): string | undefined {
  if (node.type === "Identifier") return node.name === "$json" ? "" : undefined;
  if (node.type !== "MemberExpression" || node.property.type !== "Identifier" || node.property.name !== "json")
    return undefined;
  let current: AnyNode = node.object;
  for (;;) {
    if (current.type === "Identifier") return current.name === "$input" ? "" : undefined;
    if (current.type === "MemberExpression") {
      const { property } = current;
      const object: AnyNode = current.object;
      if (object.type === "Identifier" && object.name === "$node") {
        if (property.type === "Literal") return String(property.value);
        return property.type === "Identifier" ? property.name : undefined;
      }
      current = object;
    } else if (current.type === "CallExpression") {
      const [first] = current.arguments;
      if (current.callee.type === "Identifier") {
        return current.callee.name === "$" && first?.type === "Literal" ? String(first.value) : undefined;
      }
      if (current.callee.type !== "MemberExpression") return undefined;
      current = current.callee.object;
    } else return undefined;
  }
}

function free(one: Piece): string {
  return one.kind === "dyn" || one.kind === "opt" ? asValue(one) : `dyn(${asValue(one)})`;
}

function concat(parts: readonly Piece[]): string {
  if (parts.length <= 14) return `concat(${parts.map(asWritten).join(", ")})`;
  return `concat(${parts.slice(0, 13).map(asWritten).join(", ")}, ${concat(parts.slice(13))})`;
}

/** Whether an access stands in a chain that began with `?.`. */
function isChained(node: AnyNode): boolean {
  if (node.type === "MemberExpression") return node.optional || isChained(node.object);
  return node.type === "CallExpression" && (node.optional || isChained(node.callee));
}

/** What the last `?.` of a chain asks about: nothing more of the chain is done where it is missing. */
function guardOf(node: AnyNode): AnyNode | undefined {
  if (node.type === "MemberExpression") return node.optional ? node.object : guardOf(node.object);
  if (node.type !== "CallExpression") return undefined;
  return node.optional ? node.callee : guardOf(node.callee);
}

function listBase(object: Piece): string {
  return object.special?.is === "all" ? object.special.code : asBase(object);
}

/** The cases of a switch in which every one returns, with what stands for all others. */
function casesOf(written: readonly SwitchCase[]): {
  cases: { tests: Expression[]; body: readonly Statement[] }[];
  otherwise: readonly Statement[] | undefined;
} {
  const cases: { tests: Expression[]; body: readonly Statement[] }[] = [];
  let tests: Expression[] = [];
  let otherwise: readonly Statement[] | undefined;
  for (const [index, { test, consequent }] of written.entries()) {
    if (test) tests.push(test);
    if (consequent.length === 0 && test) continue;
    const isLast = index === written.length - 1;
    if (!ends(consequent) || (!test && (!isLast || tests.length > 0))) throw new NoExpression("this switch");
    if (test) cases.push({ tests, body: consequent });
    else otherwise = consequent;
    tests = [];
  }
  return { cases, otherwise };
}

/** The names that a pattern binds. */
function namesIn(pattern: Pattern | null): string[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name];
    case "ArrayPattern":
      return pattern.elements.flatMap(namesIn);
    case "ObjectPattern":
      return pattern.properties.flatMap((one) => (one.type === "Property" ? namesIn(one.value) : []));
    default:
      return [];
  }
}

/** What a comparison of two items compares, and how: `a.n - b.n` by size, `a.name.localeCompare(b.name)` as words. */
function sidesOf(body: AnyNode): { left: AnyNode; right: AnyNode; by: "number" | "words" } | undefined {
  if (body.type === "BinaryExpression" && body.operator === "-" && body.left.type !== "PrivateIdentifier")
    return { left: body.left, right: body.right, by: "number" };
  if (body.type !== "CallExpression" || body.callee.type !== "MemberExpression") return undefined;
  const [other] = body.arguments;
  const { property, object } = body.callee;
  const isWords = property.type === "Identifier" && property.name === "localeCompare";
  return isWords && other ? { left: object, right: other, by: "words" } : undefined;
}

function blockOf(statement: Statement): readonly Statement[] {
  return statement.type === "BlockStatement" ? statement.body : [statement];
}

/** Whether a block certainly returns. */
function ends(statements: readonly Statement[]): boolean {
  const last = statements.at(-1);
  if (!last) return false;
  if (last.type === "ReturnStatement") return true;
  return (
    last.type === "IfStatement" &&
    ends(blockOf(last.consequent)) &&
    last.alternate !== undefined &&
    last.alternate !== null &&
    ends(blockOf(last.alternate))
  );
}

function returned(statements: readonly Statement[]): Expression | undefined {
  const [only] = statements;
  return statements.length === 1 && only?.type === "ReturnStatement" ? (only.argument ?? undefined) : undefined;
}

/** Whether the parenthesis at `open` closes at the very end of the code. */
function closesAtEnd(code: string, open: number): boolean {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === '"') {
      for (at += 1; at < code.length && code[at] !== '"'; at += 1) if (code[at] === "\\") at += 1;
    } else if (code[at] === "(") depth += 1;
    else if (code[at] === ")") {
      depth -= 1;
      if (depth === 0) return at === code.length - 1;
    }
  }
  return false;
}

/** How many arguments the outermost call has. */
function argumentCount(code: string): number {
  let depth = 0;
  let count = 1;
  for (let at = 0; at < code.length; at += 1) {
    const character = code[at];
    if (character === '"') {
      for (at += 1; at < code.length && code[at] !== '"'; at += 1) if (code[at] === "\\") at += 1;
    } else if (character === "(" || character === "[" || character === "{") depth += 1;
    else if (character === ")" || character === "]" || character === "}") depth -= 1;
    else if (character === "," && depth === 1) count += 1;
  }
  return count;
}

function wordsOf(type: string): string {
  return type
    .replace(/(Expression|Statement|Declaration)$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}
