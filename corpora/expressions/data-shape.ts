import { type AnyNode, parseExpressionAt, type Pattern } from "acorn";

/** `sized` is a text or a list. */
type Use = "text" | "number" | "list" | "date" | "json" | "record" | "sized";

/** What an expression does with a place in its data, from which data of that kind can be made. */
export interface Shape {
  /** How the place is used; anything where it is empty. */
  uses: Set<Use>;
  fields: Map<string, Shape>;
  element?: Shape;
  /** What a JSON text holds. */
  parsed?: Shape;
  /** Values that it is compared with. */
  values: Set<string | number | boolean>;
}

export const newShape = (): Shape => ({ uses: new Set(), fields: new Map(), values: new Set() });

/** What is read by an expression: its own input, and other nodes by their names. */
export interface Reads {
  json: Shape;
  nodes: Map<string, Shape>;
}

type Found = { shape: Shape } | { source: Shape } | { item: Shape } | { items: Shape } | { nodes: true } | undefined;
type Locals = ReadonlyMap<string, Found>;

const texts = new Set(
  "toUpperCase toLowerCase trim split replace replaceAll match startsWith endsWith substring substr charAt padStart padEnd toTitleCase extractEmail extractUrl extractDomain isEmail urlEncode base64Encode parseJson toNumber toFloat toInt search localeCompare".split(
    " ",
  ),
);
const lists = new Set(
  "map filter find findIndex findLast some every reduce flatMap join sort toSorted reverse forEach pop shift push first last sum average max min unique removeDuplicates pluck chunk compact flat at concat".split(
    " ",
  ),
);
const sameList = new Set(["filter", "sort", "toSorted", "reverse", "slice", "concat", "unique", "removeDuplicates"]);
const elementOf = new Set(["find", "findLast", "at", "first", "last", "pop", "shift"]);
const numbers = new Set(["toFixed", "round", "floor", "ceil", "isEven", "isOdd"]);

const field = (shape: Shape, key: string): Shape => {
  const known = shape.fields.get(key);
  if (known) return known;
  const made = newShape();
  shape.fields.set(key, made);
  return made;
};
const element = (shape: Shape): Shape => {
  shape.uses.add("list");
  shape.element ??= newShape();
  return shape.element;
};

/** Reads the paths of an expression off its syntax tree, with what is done with each. */
export class ShapeReader {
  readonly reads: Reads = { json: newShape(), nodes: new Map() };

  /** Throws a SyntaxError where the source is no expression. */
  add(source: string): void {
    this.visit(parseExpressionAt(`(${source}\n)`, 0, { ecmaVersion: 2024 }), new Map());
  }

  private node(name: string): Shape {
    const known = this.reads.nodes.get(name) ?? newShape();
    this.reads.nodes.set(name, known);
    return known;
  }

  private visit(node: AnyNode, locals: Locals): Found {
    switch (node.type) {
      case "Identifier":
        if (node.name === "$json") return { shape: this.reads.json };
        if (node.name === "$input") return { source: this.reads.json };
        if (node.name === "$node") return { nodes: true };
        return locals.get(node.name);
      case "ChainExpression":
      case "ParenthesizedExpression":
        return this.visit(node.expression, locals);
      case "MemberExpression":
        return this.member(node, locals);
      case "CallExpression":
        return this.call(node, locals);
      case "NewExpression": {
        const [first] = node.arguments.map((one) => this.visit(one, locals));
        if (node.callee.type === "Identifier" && node.callee.name === "Date") use(first, "date");
        if (node.callee.type === "Identifier" && node.callee.name === "Set" && first && "shape" in first) {
          element(first.shape);
          return first;
        }
        return undefined;
      }
      case "LogicalExpression": {
        const left = this.visit(node.left, locals);
        const right = this.visit(node.right, locals);
        if (node.right.type === "ArrayExpression") use(left, "list");
        return left ?? right;
      }
      case "BinaryExpression": {
        const left = node.left.type === "PrivateIdentifier" ? undefined : this.visit(node.left, locals);
        const right = this.visit(node.right, locals);
        for (const [one, other] of [
          [left, node.right],
          [right, node.left],
        ] as const) {
          if (["-", "*", "/", "%", "**"].includes(node.operator)) use(one, "number");
          const literal = other.type === "Literal" ? other.value : undefined;
          if (literal === undefined || literal === null || typeof literal === "object") continue;
          if (typeof literal === "bigint" || !one || !("shape" in one)) continue;
          if (typeof literal === "number") one.shape.uses.add("number");
          if (node.operator.includes("=")) one.shape.values.add(literal);
        }
        return undefined;
      }
      case "ArrayExpression":
        for (const one of node.elements) {
          const found = one && this.visit(one.type === "SpreadElement" ? one.argument : one, locals);
          if (one?.type === "SpreadElement" && found && "shape" in found) element(found.shape);
        }
        return undefined;
      case "SpreadElement":
        use(this.visit(node.argument, locals), "record");
        return undefined;
      case "UnaryExpression": {
        const inner = this.visit(node.argument, locals);
        if (["+", "-"].includes(node.operator)) use(inner, "number");
        return undefined;
      }
      case "ArrowFunctionExpression":
      case "FunctionExpression":
        return this.visit(node.body, locals);
      case "BlockStatement": {
        const inner = new Map(locals);
        for (const statement of node.body) {
          if (statement.type !== "VariableDeclaration") {
            this.visit(statement, inner);
            continue;
          }
          for (const { id, init } of statement.declarations) if (init) this.bind(id, this.visit(init, inner), inner);
        }
        return undefined;
      }
      case "ForOfStatement": {
        const inner = new Map(locals);
        const all = this.visit(node.right, locals);
        const [declared] = node.left.type === "VariableDeclaration" ? node.left.declarations : [];
        if (declared && all && "shape" in all) this.bind(declared.id, { shape: element(all.shape) }, inner);
        return this.visit(node.body, inner);
      }
      default:
    }
    for (const value of Object.values(node) as unknown[]) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (typeof one === "object" && one !== null && "type" in one) this.visit(one as AnyNode, locals);
      }
    }
    return undefined;
  }

  private member(node: Extract<AnyNode, { type: "MemberExpression" }>, locals: Locals): Found {
    if (node.object.type === "Super" || node.property.type === "PrivateIdentifier") return undefined;
    const base = this.visit(node.object, locals);
    const literal = node.property.type === "Literal" ? node.property.value : undefined;
    const key = !node.computed && node.property.type === "Identifier" ? node.property.name : literal;
    if (node.computed) this.visit(node.property, locals);
    if (!base) return undefined;
    if ("nodes" in base) return typeof key === "string" ? { source: this.node(key) } : undefined;
    if ("source" in base)
      return key === "item" ? { item: base.source } : key === "json" ? { shape: base.source } : undefined;
    if ("item" in base) return key === "json" ? { shape: base.item } : undefined;
    if ("items" in base) return typeof key === "number" ? { item: base.items } : undefined;
    if (key === "length") {
      if (base.shape.uses.size === 0) base.shape.uses.add("sized");
      return undefined;
    }
    if (typeof key === "string") return { shape: field(base.shape, key) };
    if (typeof key === "number") return { shape: element(base.shape) };
    if (node.property.type === "BinaryExpression") return { shape: element(base.shape) };
    return undefined;
  }

  private call(node: Extract<AnyNode, { type: "CallExpression" }>, locals: Locals): Found {
    const { callee, arguments: args } = node;
    const [argument] = args;
    if (callee.type === "Identifier") {
      if (callee.name === "$" && argument?.type === "Literal") return { source: this.node(String(argument.value)) };
      const [first] = args.map((one) => this.visit(one, locals));
      if (["Number", "parseInt", "parseFloat", "isNaN"].includes(callee.name)) use(first, "number");
      return undefined;
    }
    if (callee.type !== "MemberExpression" || callee.object.type === "Super") {
      this.visit(callee, locals);
      for (const one of args) this.visit(one, locals);
      return undefined;
    }
    const method = callee.property.type === "Identifier" ? callee.property.name : "";
    const space = callee.object.type === "Identifier" ? callee.object.name : "";
    if (["Math", "JSON", "Object", "Array", "DateTime", "Number"].includes(space))
      return this.ofNamespace(space, method, args, locals);
    const base = this.visit(callee.object, locals);
    const inner = this.callback(base, method, args, locals);
    if (!base) return undefined;
    if ("source" in base) {
      if (method === "all") return { items: base.source };
      return ["first", "last", "itemMatching"].includes(method) ? { item: base.source } : undefined;
    }
    if ("items" in base) return elementOf.has(method) ? { item: base.items } : sameList.has(method) ? base : undefined;
    if (!("shape" in base)) return undefined;
    const { shape } = base;
    if (texts.has(method)) shape.uses.add("text");
    else if (lists.has(method)) element(shape);
    else if (numbers.has(method)) shape.uses.add("number");
    else if (method === "toDateTime") shape.uses.add("date");
    if (["keys", "values", "hasField", "removeField"].includes(method)) shape.uses.add("record");
    if (method === "parseJson") shape.uses.add("json");
    if (["toNumber", "toFloat", "toInt"].includes(method)) shape.uses.add("number");
    if (method === "toDateTime" || texts.has(method) || numbers.has(method)) return undefined;
    if (elementOf.has(method)) return { shape: element(shape) };
    if (sameList.has(method)) return base;
    if (["map", "flatMap"].includes(method) && inner && "shape" in inner)
      return { shape: { ...newShape(), element: inner.shape } };
    return undefined;
  }

  private ofNamespace(space: string, method: string, args: readonly AnyNode[], locals: Locals): Found {
    const found = args.map((one) => this.visit(one.type === "SpreadElement" ? one.argument : one, locals));
    const [first] = found;
    if (space === "Math") {
      for (const [at, one] of found.entries()) {
        if (args[at]?.type !== "SpreadElement") use(one, "number");
        else if (one && "shape" in one) use({ shape: element(one.shape) }, "number");
      }
    }
    if (space === "DateTime") use(first, ["fromMillis", "fromSeconds"].includes(method) ? "number" : "date");
    if (space === "Object") for (const one of found) use(one, "record");
    if (space === "JSON" && method === "parse" && first && "shape" in first) {
      first.shape.uses.add("json");
      first.shape.parsed ??= newShape();
      return { shape: first.shape.parsed };
    }
    return undefined;
  }

  /** The function given to a method of a list; what it gives. */
  private callback(base: Found, method: string, args: readonly AnyNode[], locals: Locals): Found {
    let last: Found;
    for (const one of args) {
      if (one.type !== "ArrowFunctionExpression" && one.type !== "FunctionExpression") {
        this.visit(one, locals);
        continue;
      }
      const inner = new Map(locals);
      const each: Found = !base
        ? undefined
        : "shape" in base
          ? { shape: element(base.shape) }
          : "items" in base
            ? { item: base.items }
            : undefined;
      const places = method === "reduce" ? [1] : ["sort", "toSorted"].includes(method) ? [0, 1] : [0];
      for (const at of places) {
        const pattern = one.params[at];
        if (pattern) this.bind(pattern, each, inner);
      }
      last = this.visit(one.body, inner);
    }
    return last;
  }

  private bind(pattern: Pattern, value: Found, locals: Map<string, Found>): void {
    if (pattern.type === "Identifier") locals.set(pattern.name, value);
    if (pattern.type === "AssignmentPattern") this.bind(pattern.left, value, locals);
    if (pattern.type === "ArrayPattern" && value && "shape" in value) {
      for (const one of pattern.elements) if (one) this.bind(one, { shape: element(value.shape) }, locals);
    }
    if (pattern.type !== "ObjectPattern" || !value) return;
    for (const property of pattern.properties) {
      if (property.type === "RestElement" || property.key.type !== "Identifier") continue;
      const { name } = property.key;
      if ("shape" in value) this.bind(property.value, { shape: field(value.shape, name) }, locals);
      else if ("item" in value && name === "json") this.bind(property.value, { shape: value.item }, locals);
    }
  }
}

function use(found: Found, how: Use): void {
  if (found && "shape" in found) found.shape.uses.add(how);
}
