import type { ASTNode } from "@marcbachmann/cel-js";
import type { Json, JsonObject } from "../json.ts";
import { TemplateProblem } from "./template-problem.ts";
import { toJson } from "./to-json.ts";
import { isLargeInteger } from "../lossless-json.ts";

/** Types that `ai(…)` may ask of the model; `json` takes any value. */
export const aiTypes = ["string", "number", "integer", "boolean", "array", "object", "json"] as const;

/** One of the types that `ai(…)` takes. */
export type AiType = (typeof aiTypes)[number];

/** One `ai("name", "what it is", "string", default?)`: a part of a tool's config that the model fills. */
export interface AiCall {
  name: string;
  description: string;
  type: AiType;
  /** Used when the model leaves it out; a text may hold templates. Absent, with `otherwise`: the model must give it. */
  default?: Json;
  /** In its place: the source of the expression that gives the default, and where it starts. */
  otherwise?: { source: string; position: number };
  position: number;
}

/** Whether the model may leave it out. */
export function isOptional(call: AiCall): boolean {
  return call.default !== undefined || call.otherwise !== undefined;
}

const usage = 'Write it as ai("name", "what it is", "string").';

/** The call that a node of the expression `source` is, or undefined. Throws a TemplateProblem when it is not well formed. */
export function aiCallOf(node: ASTNode, source: string): AiCall | undefined {
  if (node.op !== "call" || node.args[0] !== "ai") return undefined;
  const fail = (message: string) => new TemplateProblem("syntax", node.pos, message, usage);
  const [fallback, ...more] = node.args[1].slice(3);
  const [name, description = "", type = "string"] = node.args[1].slice(0, 3).map(literalOf);
  if (typeof name !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw fail("The name in ai(…) must be text of letters, digits, _ and -, at most 64.");
  }
  if (typeof description !== "string") throw fail("The description in ai(…) must be text.");
  const known = aiTypes.find((one) => one === type);
  if (known === undefined) throw fail(`The type in ai(…) must be one of: ${aiTypes.join(", ")}.`);
  if (more.length > 0) throw fail("ai(…) takes at most four arguments.");
  return { name, description, type: known, position: node.pos, ...defaultOf(fallback, source) };
}

/** A default that stands there as a value, or the source of the expression that it is. */
function defaultOf(node: ASTNode | undefined, source: string): Pick<AiCall, "default" | "otherwise"> {
  if (node === undefined) return {};
  try {
    return { default: literalOf(node) };
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error;
    return { otherwise: { source: source.slice(node.start, node.end), position: node.start } };
  }
}

function literalOf(node: ASTNode): Json {
  if (node.op === "value") return toJson(node.args);
  if (node.op === "-_" && node.args.op === "value") return negated(toJson(node.args.args));
  if (node.op === "list") return node.args.map(literalOf);
  if (node.op === "map") {
    return Object.fromEntries(node.args.map(([key, value]) => [String(literalOf(key)), literalOf(value)]));
  }
  throw new TemplateProblem("syntax", node.pos, "The arguments of ai(…) must be plain values.", usage);
}

function negated(value: Json): Json {
  return isLargeInteger(value) ? `-${value}` : -Number(value);
}

/** What the model gave for a call, or its default. Throws a TemplateProblem of kind `missing` when there is neither. */
export function aiValue(call: AiCall, values: JsonObject): Json {
  const given = Object.hasOwn(values, call.name) ? values[call.name] : undefined;
  const value = given ?? call.default;
  if (value === undefined) {
    throw new TemplateProblem(
      "missing",
      call.position,
      `The argument "${call.name}" is missing.`,
      "The model must give it.",
    );
  }
  return value;
}
