import type { ASTNode } from "@marcbachmann/cel-js";
import type { Json, JsonObject } from "../json.ts";
import { TemplateProblem } from "./template-problem.ts";
import { toJson } from "./to-json.ts";

/** Types that `ai(…)` may ask of the model; `json` takes any value. */
const aiTypes = ["string", "number", "integer", "boolean", "array", "object", "json"] as const;

/** One of the types that `ai(…)` takes. */
export type AiType = (typeof aiTypes)[number];

/** One `ai("name", "what it is", "string", default?)`: a part of a tool's config that the model fills. */
export interface AiCall {
  name: string;
  description: string;
  type: AiType;
  /** Used when the model leaves it out; absent = the model must give it. */
  default?: Json;
  position: number;
}

const usage = 'Write it as ai("name", "what it is", "string").';

/** The call that a node of an expression is, or undefined. Throws a TemplateProblem when it is not well formed. */
export function aiCallOf(node: ASTNode): AiCall | undefined {
  if (node.op !== "call" || node.args[0] !== "ai") return undefined;
  const fail = (message: string) => new TemplateProblem("syntax", node.pos, message, usage);
  const values = node.args[1].map(literalOf);
  const [name, description = "", type = "string", fallback] = values;
  if (typeof name !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw fail("The name in ai(…) must be text of letters, digits, _ and -, at most 64.");
  }
  if (typeof description !== "string") throw fail("The description in ai(…) must be text.");
  const known = aiTypes.find((one) => one === type);
  if (known === undefined) throw fail(`The type in ai(…) must be one of: ${aiTypes.join(", ")}.`);
  if (values.length > 4) throw fail("ai(…) takes at most four arguments.");
  return { name, description, type: known, position: node.pos, ...(values.length > 3 ? { default: fallback } : {}) };
}

function literalOf(node: ASTNode): Json {
  if (node.op === "value") return toJson(node.args);
  if (node.op === "-_" && node.args.op === "value") return -Number(toJson(node.args.args));
  if (node.op === "list") return node.args.map(literalOf);
  if (node.op === "map") {
    return Object.fromEntries(node.args.map(([key, value]) => [String(literalOf(key)), literalOf(value)]));
  }
  throw new TemplateProblem("syntax", node.pos, "The arguments of ai(…) must be plain values.", usage);
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
