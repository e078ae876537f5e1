import { serialize, type ASTNode } from "@marcbachmann/cel-js";
import { meterNames } from "./cel-environment.ts";
import { isCounted } from "./functions/index.ts";

/** Source that counts its own steps, with the way back to positions in what the user wrote. */
interface Instrumented {
  source: string;
  originalPosition(position: number): number;
}

const loops: ReadonlySet<string> = new Set(["map", "filter", "all", "exists", "exists_one"]);

/** Those that go on where a part of them fails, with the answer that ends them. */
const lenientLoops: Readonly<Record<string, string>> = { all: "false", exists: "true" };

/** Every node below and including this one. */
export function* nodesOf(node: ASTNode): Generator<ASTNode> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "value":
    case "id":
      return [];
    case ".":
    case ".?":
      return [node.args[0]];
    case "call":
      return node.args[1];
    case "rcall":
      return [node.args[1], ...node.args[2]];
    case "map":
      return node.args.flat();
    case "!_":
    case "-_":
      return [node.args];
    default:
      return node.args;
  }
}

/** Names that loops and `cel.bind` bring in, and `now`: what they hold may be no JSON. */
function looseNames(root: ASTNode): Set<string> {
  const names = new Set(["now"]);
  for (const node of nodesOf(root)) {
    const [first] = node.op === "rcall" ? node.args[2] : [];
    if (first?.op === "id") names.add(first.args);
  }
  return names;
}

/** Whether what a node gives is certainly JSON: a path from a variable that holds data. */
function isData(node: ASTNode, loose: ReadonlySet<string>): boolean {
  switch (node.op) {
    case "id":
      return !loose.has(node.args);
    case ".":
    case "[]":
      return isData(node.args[0], loose);
    default:
      return false;
  }
}

function isAccess(node: ASTNode): node is Extract<ASTNode, { op: "." | ".?" | "[]" | "[?]" }> {
  return node.op === "." || node.op === ".?" || node.op === "[]" || node.op === "[?]";
}

/** Terms of a sum that are joined before the result is counted. */
const termsPerCount = 8;

/** What a sum consists of, from the left. */
function termsOf(sum: ASTNode): ASTNode[] {
  const terms: ASTNode[] = [];
  let node = sum;
  while (node.op === "+") {
    terms.push(node.args[1]);
    [node] = node.args;
  }
  return [...terms, node].toReversed();
}

/** A sum with a literal number joins nothing. */
function isNumber(node: ASTNode): boolean {
  return node.op === "value" && (typeof node.args === "number" || typeof node.args === "bigint");
}

/**
 * Whether an expression must be written anew: it can take more steps than it has characters (loops, `cel.bind`, regular
 * expressions), it can join long texts or lists, or it looks into a value that may be no JSON, such as a time.
 */
export function needsInstruments(root: ASTNode): boolean {
  const loose = looseNames(root);
  for (const node of nodesOf(root)) {
    if (isAccess(node) && !isData(node.args[0], loose)) return true;
    if (node.op === "call" && isCounted(node.args[0])) return true;
    if (node.op === "+" && !node.args.some(isNumber)) return true;
    if (node.op === "rcall" && (loops.has(node.args[0]) || node.args[0] === "bind" || node.args[0] === "matches"))
      return true;
  }
  return false;
}

/**
 * Writes an expression anew so that every loop step and every sum is counted, and `matches` runs on a matcher with
 * linear cost, and members of values that are no JSON stay out of reach. `replace` may give other source for a node (an `ai(…)` call).
 */
export function instrument(root: ASTNode, replace: (node: ASTNode) => string | undefined): Instrumented {
  let source = "";
  let insideHas = false;
  const loose = looseNames(root);
  const marks: { written: number; original: number }[] = [];
  const write = (text: string) => {
    source += text;
  };
  const list = (nodes: readonly ASTNode[], separator = ",") => {
    for (const [index, node] of nodes.entries()) {
      if (index > 0) write(separator);
      visit(node);
    }
  };
  const counted = (name: string, inner: () => void) => {
    write(`${name}(`);
    inner();
    write(")");
  };

  /** The left side of an access. */
  const base = (node: ASTNode) => {
    if (insideHas || isData(node, loose)) visit(node);
    else counted(meterNames.data, () => visit(node));
  };

  function visit(node: ASTNode): void {
    marks.push({ written: source.length, original: node.pos });
    const other = replace(node);
    if (other !== undefined) return write(other);
    switch (node.op) {
      case "value":
        // The library would cut characters beyond 16 bits, such as emoji, in two.
        return write(typeof node.args === "string" ? JSON.stringify(node.args) : serialize(node));
      case "id":
        return write(node.args);
      case ".":
      case ".?":
        base(node.args[0]);
        marks.push({ written: source.length, original: node.pos });
        return write(`${node.op}${node.args[1]}`);
      case "[]":
      case "[?]":
        base(node.args[0]);
        write(node.op === "[]" ? "[" : "[?");
        visit(node.args[1]);
        return write("]");
      case "call":
        insideHas = node.args[0] === "has";
        counted(node.args[0], () => list(node.args[1]));
        insideHas = false;
        return;
      case "rcall":
        return visitMethod(node.args[0], node.args[1], node.args[2]);
      case "list":
        write("[");
        list(node.args);
        return write("]");
      case "map":
        write("{");
        for (const [index, entry] of node.args.entries()) {
          if (index > 0) write(",");
          list(entry, ":");
        }
        return write("}");
      case "?:":
        write("(");
        visit(node.args[0]);
        write("?");
        visit(node.args[1]);
        write(":");
        visit(node.args[2]);
        return write(")");
      case "!_":
      case "-_":
        write(`(${node.op.charAt(0)}`);
        visit(node.args);
        return write(")");
      case "+":
        return visitSum(termsOf(node));
      default:
        write("(");
        list(node.args, ` ${node.op} `);
        return write(")");
    }
  }

  /** From the left as ever; a long sum is counted on the way, and not at each sign, which would nest it too deeply. */
  function visitSum(terms: readonly ASTNode[]): void {
    const rest = Math.max(1, terms.length - termsPerCount);
    counted(meterNames.size, () => {
      if (rest === 1) return list(terms, "+");
      visitSum(terms.slice(0, rest));
      write("+");
      list(terms.slice(rest), "+");
    });
  }

  function visitMethod(name: string, receiver: ASTNode, args: readonly ASTNode[]): void {
    if (receiver.op === "value") {
      write("(");
      visit(receiver);
      write(")");
    } else {
      visit(receiver);
    }
    write(`.${name === "matches" && args.length === 1 ? meterNames.match : name}(`);
    const isLoop = loops.has(name);
    const end = isLoop ? lenientLoops[name] : undefined;
    for (const [index, argument] of args.entries()) {
      if (index > 0) write(",");
      if (end !== undefined && index > 0) {
        write(`(${meterNames.next}()?`);
        visit(argument);
        write(`:${end})`);
      } else if (isLoop && index > 0) counted(meterNames.step, () => visit(argument));
      else visit(argument);
    }
    write(")");
  }

  visit(root);
  return {
    source,
    originalPosition(position) {
      let original = 0;
      for (const mark of marks) if (mark.written <= position) original = mark.original;
      return original;
    },
  };
}
