import type { ASTNode } from "@marcbachmann/cel-js";
import type { Json } from "../engine/json.ts";
import { aiCallOf } from "../engine/template/ai-call.ts";
import { celEnvironment } from "../engine/template/cel-environment.ts";
import { TemplateProblem } from "../engine/template/template-problem.ts";
import type { CodeFile } from "./code-file.ts";
import { functionCode, methodCode } from "./function-code.ts";

/** Thrown where an expression has no counterpart in the program. */
class NotCarried extends Error {}

/** What an expression's code depends on. */
export interface ExpressionPlace {
  file: CodeFile;
  /** The node's title, for notes. */
  node: string;
  /** The variable that holds what the model filled in; absent where `ai(…)` has no place. */
  args?: string;
  /** Whether a node has this name, by which expressions may call it without `nodes`. */
  isNode(name: string): boolean;
  /** Ids and name of the workflow, as expressions read them. */
  workflow: { id: string; name: string };
}

const usual = new Set(["json", "nodes", "vars", "now"]);
const identifier = /^[A-Za-z_$][\w$]*$/;

/** The TypeScript of a CEL expression; of one that has no counterpart, a call that throws, which is noted. */
export function expressionCode(source: string, place: ExpressionPlace): string {
  try {
    return write(celEnvironment().parse(source).ast, source, place, new Set());
  } catch (error) {
    const why = error instanceof NotCarried ? error.message : "it cannot be read";
    if (!(error instanceof NotCarried) && !(error instanceof TemplateProblem) && !(error instanceof Error)) throw error;
    place.file.note(
      `The expression {{${source.trim()}}} is not in this program: ${why}. It throws when it is reached.`,
      place.node,
    );
    return `${place.file.helper("notCarried")}(${JSON.stringify(`The expression {{${source.trim()}}}`)})`;
  }
}

function write(node: ASTNode, source: string, place: ExpressionPlace, local: ReadonlySet<string>): string {
  const inner = (one: ASTNode) => write(one, source, place, local);
  switch (node.op) {
    case "value":
      return valueCode(node.args);
    case "id":
      return idCode(node.args, place, local);
    case ".":
    case ".?": {
      const [object, name] = node.args;
      return `${inner(object)}${identifier.test(String(name)) ? `?.${String(name)}` : `?.[${JSON.stringify(name)}]`}`;
    }
    case "[]":
    case "[?]":
      return `${inner(node.args[0])}?.[${inner(node.args[1])}]`;
    case "list":
      return `[${node.args.map(inner).join(", ")}]`;
    case "map":
      return `{ ${node.args.map(([key, value]) => `[${inner(key)}]: ${inner(value)}`).join(", ")} }`;
    case "?:":
      return `(${inner(node.args[0])} ? ${inner(node.args[1])} : ${inner(node.args[2])})`;
    case "!_":
      return `!${inner(node.args)}`;
    case "-_":
      return `-${inner(node.args)}`;
    case "==":
    case "!=":
      return equality(node, inner, place.file);
    case "in":
      return `${place.file.helper("isIn")}(${inner(node.args[0])}, ${inner(node.args[1])})`;
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "&&":
    case "||":
      return `(${inner(node.args[0])} ${node.op} ${inner(node.args[1])})`;
    case "call":
      return callCode(node, source, place, inner);
    case "rcall":
      return methodCall(node, source, place, local);
    default:
      throw new NotCarried("it uses an operator without a counterpart");
  }
}

function idCode(name: string, place: ExpressionPlace, local: ReadonlySet<string>): string {
  if (usual.has(name) || local.has(name)) return name;
  if (place.isNode(name)) return `nodes.${name}`;
  if (name === "workflow") return `(${JSON.stringify(place.workflow)} as Json)`;
  throw new NotCarried(`“${name}” is known in the studio only`);
}

/** A value that stands in an expression. CEL's whole numbers come as bigints. */
function valueCode(value: unknown): string {
  if (typeof value === "bigint" || typeof value === "number") return String(value);
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  throw new NotCarried("it holds a value that JSON has not");
}

function equality(
  node: Extract<ASTNode, { op: "==" | "!=" }>,
  inner: (node: ASTNode) => string,
  file: CodeFile,
): string {
  const [left, right] = node.args;
  const negated = node.op === "!=";
  if (left.op === "value" || right.op === "value") {
    // A field that is missing equals null, as far as expressions can tell.
    const loose = [left, right].some((one) => one.op === "value" && one.args === null);
    return `(${inner(left)} ${negated ? "!" : "="}=${loose ? "" : "="} ${inner(right)})`;
  }
  return `${negated ? "!" : ""}${file.helper("isEqual")}(${inner(left)}, ${inner(right)})`;
}

function callCode(
  node: Extract<ASTNode, { op: "call" }>,
  source: string,
  place: ExpressionPlace,
  inner: (node: ASTNode) => string,
): string {
  const [name, args] = node.args;
  const asked = aiCallOf(node, source);
  if (asked) {
    if (place.args === undefined) throw new NotCarried("only a tool has parts that the model fills in");
    const given = `${place.args}[${JSON.stringify(asked.name)}]`;
    const fallback: Json | undefined = asked.default;
    if (asked.otherwise) return `(${given} ?? ${expressionCode(asked.otherwise.source, place)})`;
    return fallback === undefined ? given : `(${given} ?? ${JSON.stringify(fallback)})`;
  }
  const written = functionCode(name, args.map(inner), place.file);
  if (written === undefined) throw new NotCarried(`the function ${name} is the studio's own`);
  return written;
}

const loops = new Set(["map", "filter", "all", "exists"]);

function methodCall(
  node: Extract<ASTNode, { op: "rcall" }>,
  source: string,
  place: ExpressionPlace,
  local: ReadonlySet<string>,
): string {
  const [name, receiver, args] = node.args;
  const object = write(receiver, source, place, local);
  const [variable, body, more] = args;
  if (loops.has(name) && variable?.op === "id" && body !== undefined && more === undefined) {
    const item = variable.args;
    const each = write(body, source, place, new Set([...local, item]));
    const method = { map: "map", filter: "filter", all: "every", exists: "some" }[name];
    return `${place.file.helper("listOf")}(${object}).${method}((${item}: Json) => ${each})`;
  }
  const written = methodCode(
    name,
    object,
    args.map((one) => write(one, source, place, local)),
    place.file,
  );
  if (written === undefined) throw new NotCarried(`the method ${name} has no counterpart`);
  return written;
}
