import { parse, type AnyNode } from "acorn";

/** Whether n8n's code gives several items, as far as its text says; `many`: whether several reach it. */
export function returnsMany(source: string, many: boolean): boolean {
  try {
    const program = parse(source, {
      ecmaVersion: 2024,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
    });
    const { returned, declared } = statementsOf(program);
    return returned.some((value) => isMany(value, declared, many, 0));
  } catch {
    return many;
  }
}

/** What the code returns, and the first value of its variables; functions inside are not looked into. */
function statementsOf(program: AnyNode): { returned: AnyNode[]; declared: Map<string, AnyNode> } {
  const returned: AnyNode[] = [];
  const declared = new Map<string, AnyNode>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value) || /Function/.test(value.type)) return;
    if (value.type === "ReturnStatement" && value.argument) returned.push(value.argument);
    if (value.type === "VariableDeclarator" && value.id.type === "Identifier" && value.init)
      declared.set(value.id.name, value.init);
    Object.values(value).forEach(visit);
  };
  visit(program);
  return { returned, declared };
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const listMethods = new Set(["map", "flatMap", "filter", "slice", "concat", "sort", "toSorted", "reverse", "flat"]);

function isMany(value: AnyNode, declared: ReadonlyMap<string, AnyNode>, many: boolean, depth: number): boolean {
  switch (value.type) {
    case "ArrayExpression":
      return value.elements.length > 1 || value.elements.some((one) => one?.type === "SpreadElement");
    case "ObjectExpression":
      return false;
    case "Identifier": {
      const first = declared.get(value.name);
      if (!first || depth > 5) return many;
      // A list that starts empty is filled on the way.
      return (
        (first.type === "ArrayExpression" && first.elements.length === 0) || isMany(first, declared, many, depth + 1)
      );
    }
    case "CallExpression": {
      const { callee } = value;
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return many;
      if (callee.property.name === "all" || callee.property.name === "first")
        return many && callee.property.name === "all";
      if (!listMethods.has(callee.property.name)) return many;
      return isMany(callee.object, declared, true, depth + 1) && !isInput(callee.object) ? true : many;
    }
    default:
      return many;
  }
}

/** Whether a list is the node's own input: `items`, `$input.all()`. */
function isInput(value: AnyNode): boolean {
  if (value.type === "Identifier") return value.name === "items" || value.name === "$input";
  if (value.type === "CallExpression") return isInput(value.callee);
  return value.type === "MemberExpression" && isInput(value.object);
}
