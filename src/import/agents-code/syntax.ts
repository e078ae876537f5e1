import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser } from "acorn";

/** A node of a syntax tree; what a type has besides is read by `child` and `children`. */
export interface Syntax {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const TypeScript = Parser.extend(tsPlugin());

/** The syntax tree of a TypeScript or JavaScript module, or why there is none. Nothing is run. */
export function parseModule(source: string): { ok: true; tree: Syntax } | { ok: false; problem: string } {
  try {
    const options = { sourceType: "module", ecmaVersion: "latest", locations: true } as const;
    return { ok: true, tree: TypeScript.parse(source, options) as unknown as Syntax };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `The code cannot be parsed: ${reason}.` };
  }
}

export function isSyntax(value: unknown): value is Syntax {
  return typeof value === "object" && value !== null && typeof (value as Syntax).type === "string";
}

export function child(node: Syntax | undefined, key: string): Syntax | undefined {
  const value = node?.[key];
  return isSyntax(value) ? value : undefined;
}

export function children(node: Syntax | undefined, key: string): Syntax[] {
  const value = node?.[key];
  return Array.isArray(value) ? value.filter(isSyntax) : [];
}

export const nameOf = (node: Syntax | undefined): string =>
  node?.type === "Identifier" && typeof node.name === "string" ? node.name : "";

/** An expression without what only TypeScript, brackets and waiting put around it. */
export function bare(node: Syntax | undefined): Syntax | undefined {
  let inner = node;
  for (let depth = 0; inner && depth < 50; depth += 1) {
    if (
      /^(TSAsExpression|TSSatisfiesExpression|TSNonNullExpression|TSTypeAssertion|ParenthesizedExpression|ChainExpression)$/.test(
        inner.type,
      )
    )
      inner = child(inner, "expression");
    else if (inner.type === "AwaitExpression") inner = child(inner, "argument");
    else return inner;
  }
  return inner;
}

/** Calls `visit` for every node below, the outer ones first; false keeps it out of a node. */
export function walk(root: Syntax, visit: (node: Syntax, above: Syntax | undefined) => boolean | void): void {
  const open: [Syntax, Syntax | undefined][] = [[root, undefined]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, above] = next;
    if (visit(node, above) === false) continue;
    const inner: Syntax[] = [];
    for (const [key, value] of Object.entries(node)) {
      if (key === "loc") continue;
      if (isSyntax(value)) inner.push(value);
      else if (Array.isArray(value)) inner.push(...value.filter(isSyntax));
    }
    for (const one of inner.toReversed()) open.push([one, node]);
  }
}

/** The name of what is called: `Agent`, `z.object`, `runner.run`. */
export function calleeOf(node: Syntax | undefined): string {
  const callee = bare(child(node, "callee"));
  return pathOf(callee).join(".");
}

/** Names of a path such as `a.b?.c`; empty for anything else. */
export function pathOf(given: Syntax | undefined): string[] {
  const keys: string[] = [];
  let node = bare(given);
  for (; node?.type === "MemberExpression"; node = bare(child(node, "object"))) {
    const property = child(node, "property");
    const key = node.computed === true ? textOf(property) : nameOf(property);
    if (key === undefined || key === "") return [];
    keys.push(key);
  }
  const base = node?.type === "ThisExpression" ? "this" : nameOf(node);
  return base === "" ? [] : [base, ...keys.toReversed()];
}

/** The text of a literal, or of a template without parts. */
export function textOf(given: Syntax | undefined): string | undefined {
  const node = bare(given);
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" && children(node, "expressions").length === 0)
    return cooked(children(node, "quasis")[0]);
  return undefined;
}

export function cooked(quasi: Syntax | undefined): string {
  const value = quasi?.value as { cooked?: unknown } | undefined;
  return typeof value?.cooked === "string" ? value.cooked : "";
}

/** The properties of an object as written: by name, methods as functions. Spread ones are left out. */
export function propertiesOf(given: Syntax | undefined): Map<string, Syntax> {
  const node = bare(given);
  const found = new Map<string, Syntax>();
  if (node?.type !== "ObjectExpression") return found;
  for (const property of children(node, "properties")) {
    const key = child(property, "key");
    const name = property.computed === true ? undefined : nameOf(key) || textOf(key);
    const value = child(property, "value");
    if (name !== undefined && value) found.set(name, value);
  }
  return found;
}

export const elementsOf = (given: Syntax | undefined): Syntax[] => {
  const node = bare(given);
  return node?.type === "ArrayExpression" ? children(node, "elements") : [];
};

/** A number, text, boolean or null as written. */
export function plainOf(given: Syntax | undefined): string | number | boolean | null | undefined {
  const node = bare(given);
  const text = textOf(node);
  if (text !== undefined) return text;
  if (node?.type === "UnaryExpression" && node.operator === "-") {
    const value = plainOf(child(node, "argument"));
    return typeof value === "number" ? -value : undefined;
  }
  if (node?.type !== "Literal") return undefined;
  const { value } = node;
  return typeof value === "number" || typeof value === "boolean" || value === null ? value : undefined;
}
