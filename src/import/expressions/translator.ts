import type { AnyNode, Expression, Pattern, SpreadElement } from "acorn";
import { bodyOf } from "./function-body.ts";
import { call, construct, durationOf, isNamespace } from "./functions.ts";
import { loop } from "./list-loops.ts";
import { chainOf, guardOf, isChained, sourceName } from "./member-chains.ts";
import { type Alias, indexed, member, path } from "./members.ts";
import { method } from "./methods.ts";
import { binary, concat, logical, unary } from "./operators.ts";
import {
  AlwaysFails,
  asArgument,
  asBase,
  asNumber,
  asText,
  asTruth,
  asValue,
  double,
  either,
  isName,
  listBase,
  NoExpression,
  type Piece,
  piece,
  quoted,
  special,
} from "./piece.ts";
import { type Locals, type TranslateOptions, type Translation, wordsOf } from "./translation.ts";

/** Names that JavaScript has and expressions here do not. */
const globals = new Set(
  "Buffer Intl Map WeakMap RegExp Symbol URL URLSearchParams crypto luxon Interval Promise Error Reflect Proxy BigInt globalThis window process require setTimeout escape unescape structuredClone extend".split(
    " ",
  ),
);

const mostSteps = 20_000;

/** Walks the syntax tree of one expression. */
export class Translator implements Translation {
  readonly options: TranslateOptions;
  private fresh = 0;
  private steps = 0;
  inMath = 0;
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
        return logical(node.operator, this.expression(node.left, locals), this.expression(node.right, locals));
      case "BinaryExpression":
        if (node.left.type === "PrivateIdentifier") break;
        return binary(node.operator, this.expression(node.left, locals), this.expression(node.right, locals));
      case "UnaryExpression":
        return unary(node.operator, this.expression(node.argument, locals));
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
      return bodyOf(this, callee, locals);
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
      return loop(this, object, name, first, second, locals);
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
    return loop(this, list, "map", each, undefined, locals);
  }

  private readonly given = new Set<string>();

  newName(pattern: Pattern | undefined): string {
    this.fresh += 1;
    const wanted = pattern?.type === "Identifier" && /^[a-z][A-Za-z0-9]*$/.test(pattern.name) ? pattern.name : "x";
    const taken = ["json", "nodes", "now", "vars", "run", "workflow", "in", "true", "false", "null"];
    let name = taken.includes(wanted) ? `${wanted}_` : this.fresh === 1 ? wanted : `${wanted}${this.fresh}`;
    // `x2` may be a name of its own.
    while (this.given.has(name)) name = `${name}_`;
    this.given.add(name);
    return name;
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

  object(node: Extract<AnyNode, { type: "ObjectExpression" }>, locals: Locals): Piece {
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
