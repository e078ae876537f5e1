import type { AnyNode } from "acorn";

/** The keys of a path and what it starts from. */
export function chainOf(node: AnyNode): { keys: (string | number)[]; root: AnyNode | undefined } {
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
export function sourceName(node: AnyNode): string | undefined {
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

/** Whether an access stands in a chain that began with `?.`. */
export function isChained(node: AnyNode): boolean {
  if (node.type === "MemberExpression") return node.optional || isChained(node.object);
  return node.type === "CallExpression" && (node.optional || isChained(node.callee));
}

/** What the last `?.` of a chain asks about: nothing more of the chain is done where it is missing. */
export function guardOf(node: AnyNode): AnyNode | undefined {
  if (node.type === "MemberExpression") return node.optional ? node.object : guardOf(node.object);
  if (node.type !== "CallExpression") return undefined;
  return node.optional ? node.callee : guardOf(node.callee);
}
