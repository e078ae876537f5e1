import { type AnyNode, type Node, parse, type Pattern } from "acorn";

/** Kinds of nodes that are walked; everything else that looks like one is, too. */
type Loose = Node & Record<string, unknown>;

/**
 * The body of a JavaScript function with `any` as the type of its variables and parameters, so that it type-checks as it
 * is. Code that cannot be parsed comes back unchanged.
 */
export function typedJavaScript(body: string): string {
  const start = "async function body() {\n";
  let tree: Node;
  try {
    tree = parse(`${start}${body}\n}`, { ecmaVersion: "latest", sourceType: "script" });
  } catch {
    return body;
  }
  const inserts: { at: number; text: string }[] = [];
  const type = (pattern: Pattern | null | undefined) => {
    if (!pattern) return;
    const named = pattern.type === "AssignmentPattern" ? pattern.left : pattern;
    if (named.type === "RestElement") inserts.push({ at: named.end, text: ": any[]" });
    else inserts.push({ at: named.end, text: ": any" });
  };
  // A declaration in the head of `for … of` and `for … in` takes no type.
  const heads = new Set<Node>();
  walk(tree, (node, parent) => {
    if (node.type === "ForOfStatement" || node.type === "ForInStatement") heads.add(node.left);
    if (node.type === "VariableDeclarator" && !(parent && heads.has(parent))) type(node.id);
    if (node.type === "CatchClause") type(node.param);
    if (node.type === "FunctionDeclaration" || node.type === "FunctionExpression")
      for (const one of node.params) type(one);
    if (node.type === "ArrowFunctionExpression") {
      const [only, ...more] = node.params;
      const head = `${start}${body}`.slice(node.start, only?.start ?? node.start);
      if (only?.type === "Identifier" && more.length === 0 && !head.includes("(")) {
        inserts.push({ at: only.start, text: "(" }, { at: only.end, text: ": any)" });
      } else for (const one of node.params) type(one);
    }
  });
  let typed = `${start}${body}`;
  for (const { at, text } of inserts.toSorted((a, b) => b.at - a.at))
    typed = typed.slice(0, at) + text + typed.slice(at);
  return typed.slice(start.length);
}

/** Calls `visit` with each node, a parent before its children. */
function walk(root: Node, visit: (node: AnyNode, parent: Node | undefined) => void): void {
  const open: [Loose, Node | undefined][] = [[root as Loose, undefined]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, parent] = next;
    visit(node as unknown as AnyNode, parent);
    for (const value of Object.values(node)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (typeof one === "object" && one !== null && typeof (one as Loose).type === "string")
          open.push([one as Loose, node]);
      }
    }
  }
}
