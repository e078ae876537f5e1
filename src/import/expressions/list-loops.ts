import type { AnyNode, ArrowFunctionExpression, Expression, FunctionExpression, Pattern, SpreadElement } from "acorn";
import { bind, bodyOf, returned } from "./function-body.ts";
import {
  asArgument,
  asNumber,
  asTruth,
  asValue,
  listBase,
  NoExpression,
  type Piece,
  piece,
  quoted,
  special,
} from "./piece.ts";
import type { Locals, Translation } from "./translation.ts";

/** `list.map(x => …)` and its kin. */
export function loop(
  translation: Translation,
  object: Piece,
  name: string,
  fn: ArrowFunctionExpression | FunctionExpression,
  initial: Expression | SpreadElement | undefined,
  locals: Locals,
): Piece {
  if (fn.async || fn.generator) throw new NoExpression("an asynchronous function");
  const { params } = fn;
  if (name === "reduce") return reduce(translation, object, fn, initial, locals);
  if (name === "sort" || name === "toSorted") return sort(translation, object, fn, locals);
  if (name === "replace" || name === "replaceAll") throw new NoExpression("a replacement that is worked out");
  const [element, index, whole] = params;
  const name1 = translation.newName(element);
  const isItem = object.special?.is === "all";
  const withIndex = index !== undefined;
  const code = withIndex ? `indexed(${listBase(object)})` : listBase(object);
  const inner = new Map(locals);
  const here = withIndex ? `${name1}.item` : name1;
  if (element) bind(translation, element, isItem ? special({ is: "item", code: here }) : piece("dyn", here), inner);
  if (index) bind(translation, index, piece("number", `${name1}.index`), inner);
  if (whole) bind(translation, whole, isItem ? object : piece("list", listBase(object)), inner);
  const result = bodyOf(translation, fn, inner);
  const back = (filtered: string) => (withIndex ? `${filtered}.map(${name1}, ${name1}.item)` : filtered);
  switch (name) {
    case "map":
      return piece("list", `${code}.map(${name1}, ${translation.inMath > 0 ? asNumber(result) : asValue(result)})`);
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
function reduce(
  translation: Translation,
  object: Piece,
  fn: ArrowFunctionExpression | FunctionExpression,
  initial: Expression | SpreadElement | undefined,
  locals: Locals,
): Piece {
  const [total, element, more] = fn.params;
  const one = gathered(translation, object, fn, initial, locals);
  if (one) return one;
  const body = fn.body.type === "BlockStatement" ? undefined : fn.body;
  const left = body?.type === "BinaryExpression" && body.operator === "+" ? body.left : undefined;
  const isTotal = (node: AnyNode | undefined) =>
    node?.type === "Identifier" && total?.type === "Identifier" && node.name === total.name;
  if (!element || more || !body || body.type !== "BinaryExpression" || !isTotal(left))
    throw new NoExpression("this reduce");
  const start = initial && initial.type !== "SpreadElement" ? translation.expression(initial, locals) : undefined;
  if (start && start.kind !== "int" && start.kind !== "number") throw new NoExpression("this reduce");
  const name = translation.newName(element);
  const inner = new Map(locals);
  bind(
    translation,
    element,
    object.special?.is === "all" ? special({ is: "item", code: name }) : piece("dyn", name),
    inner,
  );
  const value = translation.expression(body.right, inner);
  if (value.kind === "string") throw new NoExpression("this reduce");
  if (!start) {
    if (body.right.type !== "Identifier" || element.type !== "Identifier" || body.right.name !== element.name)
      throw new NoExpression("this reduce");
    // Without a first value there must be one in the list.
    return piece("dyn", `(isEmpty(${listBase(object)}) ? null : dyn(sum(${listBase(object)})))`);
  }
  return piece("number", `(${asNumber(start)} + sum(${listBase(object)}.map(${name}, number(${asArgument(value)}))))`);
}

/** `reduce((all, x) => ({ ...all, [x.key]: x.value }), {})`: one object of many. */
function gathered(
  translation: Translation,
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
  const start = translation.expression(initial, locals);
  if (start.kind !== "map") return undefined;
  const name = translation.newName(element);
  const inner = new Map(locals);
  // What was gathered so far is not known within the rest.
  inner.set(total.name, special({ is: "gathered" }));
  bind(
    translation,
    element,
    object.special?.is === "all" ? special({ is: "item", code: name }) : piece("dyn", name),
    inner,
  );
  const one = translation.object({ ...inside, properties: rest }, inner);
  const all = `mergeObjects(${listBase(object)}.map(${name}, ${asValue(one)}))`;
  return piece("map", start.code === "{}" ? all : `mergeObjects(${start.code}, ${all})`);
}

/** `(a, b) => a.key - b.key`, either way round, and whatever is worked out of both in the same way. */
function sort(
  translation: Translation,
  object: Piece,
  fn: ArrowFunctionExpression | FunctionExpression,
  locals: Locals,
): Piece {
  const [a, b] = fn.params;
  const body = fn.body.type === "BlockStatement" ? returned(fn.body.body) : fn.body;
  const sides = body && sidesOf(body);
  if (!a || !b || !sides) throw new NoExpression("this order");
  const isItem = object.special?.is === "all";
  const name = translation.newName(undefined);
  const keyOf = (node: AnyNode, of: Pattern, other: Pattern): string | undefined => {
    const inner = new Map(locals);
    try {
      // The other one must not be looked at.
      for (const unseen of namesIn(other)) inner.set(unseen, special({ is: "gathered" }));
      bind(translation, of, isItem ? special({ is: "item", code: name }) : piece("dyn", name), inner);
      return asArgument(translation.expression(node, inner));
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
