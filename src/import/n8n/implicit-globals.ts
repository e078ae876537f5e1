import { parse, type AnyNode } from "acorn";

/** Names that code assigns to without declaring them: variables in n8n, an error where code is strict. */
export function implicitGlobals(source: string): string[] {
  const declared = new Set<string>();
  const assigned = new Set<string>();
  const declare = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(declare);
    if (!isNode(value)) return;
    if (value.type === "Identifier") declared.add(value.name);
    else if (value.type === "AssignmentPattern") declare(value.left);
    else if (value.type === "Property") declare(value.value);
    else if (/Pattern$|RestElement/.test(value.type)) Object.values(value).forEach(declare);
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    if (value.type === "VariableDeclarator") declare(value.id);
    if ("params" in value) declare(value.params);
    if (value.type === "CatchClause") declare(value.param);
    if (/^(Function|Class)/.test(value.type) && "id" in value) declare(value.id);
    if (value.type === "AssignmentExpression" && value.left.type === "Identifier") assigned.add(value.left.name);
    if (
      /^For(Of|In)Statement$/.test(value.type) &&
      "left" in value &&
      isNode(value.left) &&
      value.left.type === "Identifier"
    )
      assigned.add(value.left.name);
    Object.values(value).forEach(visit);
  };
  try {
    visit(parse(source, { ecmaVersion: 2024, allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true }));
  } catch {
    return [];
  }
  return [...assigned].filter((name) => !declared.has(name) && !provided.has(name));
}

/** What code from n8n finds around it. */
const provided = new Set(["items", "item", "json", "nodes"]);

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** The code with its implicit globals as variables. */
export function withDeclared(source: string): string {
  const names = implicitGlobals(source);
  return names.length === 0 ? source : `let ${names.join(", ")};\n${source}`;
}
