import { bare, calleeOf, child, children, nameOf, propertiesOf, type Syntax, textOf, walk } from "./syntax.ts";

/** What a program of the Agents SDK declares, by the names of its constants. */
export interface Program {
  source: string;
  tree: Syntax;
  /** What each name was first given, wherever it was declared. */
  values: ReadonlyMap<string, Syntax>;
  /** Declared functions, of the module's own level. */
  functions: ReadonlyMap<string, Syntax>;
  /** Names that come from other modules. */
  imported: ReadonlySet<string>;
  agents: readonly AgentCode[];
}

/** One `new Agent({ … })`. */
export interface AgentCode {
  /** The constant that holds it; empty where it is written in place. */
  constant: string;
  name: string;
  node: Syntax;
  settings: ReadonlyMap<string, Syntax>;
}

/** Whether a text is code that uses the Agents SDK. */
export const isAgentsCode = (text: string): boolean =>
  /(?:from\s*|require\(\s*)["']@openai\/agents[\w/-]*["']/.test(text.slice(0, 200_000));

/** Reads the declarations of a program. */
export function readProgram(source: string, tree: Syntax): Program {
  const values = new Map<string, Syntax>();
  const functions = new Map<string, Syntax>();
  const imported = new Set<string>();
  const agents: AgentCode[] = [];
  const holders = new Map<Syntax, string>();
  walk(tree, (node) => {
    if (node.type === "ImportDeclaration") {
      for (const one of children(node, "specifiers")) imported.add(nameOf(child(one, "local")));
      return false;
    }
    if (node.type === "VariableDeclarator") {
      const [name, init] = [nameOf(child(node, "id")), child(node, "init")];
      if (name !== "" && init && !values.has(name)) values.set(name, init);
      const inner = bare(init);
      if (inner) holders.set(inner, name);
    }
    if (node.type === "FunctionDeclaration") functions.set(nameOf(child(node, "id")), node);
    const settings = agentSettings(node);
    if (settings) {
      const constant = holders.get(node) ?? "";
      const name = textOf(settings.get("name")) ?? (constant || "Agent");
      agents.push({ constant, name, node, settings });
    }
    return true;
  });
  return { source, tree, values, functions, imported, agents };
}

function agentSettings(node: Syntax): ReadonlyMap<string, Syntax> | undefined {
  const callee = node.type === "NewExpression" || node.type === "CallExpression" ? calleeOf(node) : "";
  const [first] = children(node, "arguments");
  if (!/^(Agent|RealtimeAgent|SandboxAgent)(\.create)?$/.test(callee) || bare(first)?.type !== "ObjectExpression")
    return undefined;
  return propertiesOf(first);
}

/** What stands behind a name, or the expression itself. */
export function resolved(program: Program, given: Syntax | undefined, depth = 0): Syntax | undefined {
  const node = bare(given);
  const name = nameOf(node);
  if (name === "" || depth > 20) return node;
  const value = program.values.get(name);
  return value ? resolved(program, value, depth + 1) : node;
}

/** The agent that an expression names or makes. */
export function agentOf(program: Program, given: Syntax | undefined): AgentCode | undefined {
  const node = resolved(program, given);
  return program.agents.find((one) => one.node === node);
}

export const sliceOf = (program: Program, node: Syntax): string => program.source.slice(node.start, node.end);

/** The code of a node without its types. */
export function plainCode(program: Program, root: Syntax): string {
  const cuts: [number, number][] = [];
  walk(root, (node) => {
    if (
      /^TS(TypeAnnotation|TypeParameterDeclaration|TypeParameterInstantiation|InterfaceDeclaration|TypeAliasDeclaration)$/.test(
        node.type,
      )
    ) {
      cuts.push([node.start, node.end]);
      return false;
    }
    if (/^TS(AsExpression|SatisfiesExpression|NonNullExpression)$/.test(node.type)) {
      const inner = child(node, "expression");
      if (inner) cuts.push([inner.end, node.end]);
    }
    // The question mark of an optional parameter stands between its name and its type.
    const type = child(node, "typeAnnotation");
    if (node.type === "Identifier" && node.optional === true) {
      cuts.push([node.start + nameOf(node).length, type ? type.start : node.end]);
    }
    return true;
  });
  let code = "";
  let at = root.start;
  for (const [from, to] of cuts.toSorted((a, b) => a[0] - b[0])) {
    if (from < at) continue;
    code += program.source.slice(at, from);
    at = to;
  }
  return code + program.source.slice(Math.min(at, root.end), root.end);
}

const known = new Set(
  "undefined JSON Math Date Object Array String Number Boolean console RegExp Map Set Promise Error TypeError parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent NaN Infinity Symbol arguments".split(
    " ",
  ),
);

/** Names that a function uses and does not declare itself. */
export function freeNames(root: Syntax): string[] {
  const declared = new Set<string>();
  const used = new Set<string>();
  const declare = (pattern: Syntax | undefined): void => {
    if (!pattern) return;
    if (pattern.type === "Identifier") declared.add(nameOf(pattern));
    for (const key of ["left", "argument", "value"]) declare(child(pattern, key));
    for (const key of ["properties", "elements"]) for (const one of children(pattern, key)) declare(one);
  };
  walk(root, (node, above) => {
    if (node.type.startsWith("TS") && !node.type.endsWith("Expression")) return false;
    if (node.type === "VariableDeclarator") declare(child(node, "id"));
    if (node.type === "CatchClause") declare(child(node, "param"));
    if (/Function/.test(node.type)) {
      declare(child(node, "id"));
      for (const one of children(node, "params")) declare(one);
    }
    if (node.type === "Identifier") {
      const isKey =
        (above?.type === "MemberExpression" && above.property === node && above.computed !== true) ||
        (above?.type === "Property" && above.key === node && above.computed !== true && above.shorthand !== true);
      if (!isKey) used.add(nameOf(node));
    }
    return true;
  });
  return [...used].filter((name) => name !== "" && !declared.has(name) && !known.has(name));
}

/** A function with what it uses of its module, as plain code; undefined where it needs what a sandbox does not have. */
export function selfContained(program: Program, root: Syntax): { code: string; helpers: string } | { missing: string } {
  const parts: string[] = [];
  const seen = new Set<string>();
  const open = freeNames(root);
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const declared = program.functions.get(name) ?? program.values.get(name);
    if (program.imported.has(name) || !declared || seen.size > 30) return { missing: name };
    open.push(...freeNames(declared));
    const code = plainCode(program, declared);
    parts.unshift(declared.type === "FunctionDeclaration" ? code : `const ${name} = ${code};`);
  }
  const body = plainCode(program, root);
  const isMethod = root.type === "FunctionExpression" && !/^\s*(async\s+)?function\b/.test(body);
  const start = root.async === true ? "async function" : "function";
  return {
    code: isMethod ? `${start} ${body.replace(/^\s*async\b/, "").trim()}` : body,
    helpers: parts.join("\n"),
  };
}
