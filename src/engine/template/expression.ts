import { EvaluationError, ParseError, TypeError as CelTypeError, type ASTNode } from "@marcbachmann/cel-js";
import { isBlank } from "../config/field-values.ts";
import type { ExactJson, Json, JsonObject } from "../json.ts";
import { isLargeInteger, jsonInteger } from "../lossless-json.ts";
import { aiCallOf, aiValue, type AiCall } from "./ai-call.ts";
import { celEnvironment, EvaluationLimit, instrumentedEnvironment, metered } from "./cel-environment.ts";
import { isTooDeep, maxLevels } from "./deep-data.ts";
import { instrument, needsInstruments, nodesOf } from "./instrument.ts";
import { readTitleAsName } from "./node-names.ts";
import { readPath, type Path, type PathStep } from "./path.ts";
import type { TemplateScope } from "./scope.ts";
import { holdsTemplate, splitTemplate, templateLimits } from "./split-template.ts";
import { syntaxMessage } from "./syntax-message.ts";
import { TemplateProblem } from "./template-problem.ts";
import { NoJson, toExactJson, toJson } from "./to-json.ts";

/** A parsed expression. `evaluate` throws a TemplateProblem with positions counted within the expression. */
export interface Expression {
  source: string;
  /** Set when the expression is a path and nothing else, such as `json.user.name`. */
  path?: Path;
  /** The `ai(…)` calls in it, in order. */
  aiCalls: readonly AiCall[];
  /** Set when the expression is one `ai(…)` and nothing else. */
  wholeAi?: AiCall;
  /** `values` are the model's, by parameter name; needed only when there are `aiCalls`. */
  evaluate(scope: TemplateScope, values?: JsonObject): Json;
  /** The same, with whole numbers that are too large to be exact as bigints: for JSON text, which has them bare. */
  evaluateExact(scope: TemplateScope, values?: JsonObject): ExactJson;
}

const syntaxHint = "Expressions are written in CEL, for example json.name, json.count + 1 or json.list.map(x, x.id).";

/** Parses an expression (the text between the braces). Throws a TemplateProblem when it is not well formed. */
export function compileExpression(source: string): Expression {
  if (isBlank(source)) throw new TemplateProblem("syntax", 0, "The expression is empty.", syntaxHint);
  if (source.length > templateLimits.expression) {
    throw new TemplateProblem("limit", 0, "The expression is too long.", "Compute the value in a code node.");
  }
  const program = parse(source);
  const path = pathOf(program.ast);
  if (path) {
    const evaluate = (scope: TemplateScope) => timeAsText(readPath(path, scope));
    return { source, path, aiCalls: [], evaluate, evaluateExact: evaluate };
  }
  return compileCel(source, program);
}

type Program = ReturnType<ReturnType<typeof celEnvironment>["parse"]>;

function parse(source: string): Program {
  try {
    const program = celEnvironment().parse(source);
    for (const node of nodesOf(program.ast)) readTitleAsName(node);
    return program;
  } catch (error) {
    throw problemOf(error, (position) => Math.min(position, source.length));
  }
}

function parseInstrumented(source: string, original: (position: number) => number): Program {
  try {
    return instrumentedEnvironment().parse(source);
  } catch (error) {
    throw problemOf(error, original);
  }
}

function compileCel(source: string, program: Program): Expression {
  const root = program.ast;
  const aiCalls: AiCall[] = [];
  const defaults: (AiDefault | undefined)[] = [];
  const placeholders = new Map<ASTNode, string>();
  const variables = new Set<string>();
  for (const node of nodesOf(root)) {
    if (node.op === "id") variables.add(node.args);
    if (node.op === "in") writeLargeIntegersAsText(node.args);
    const call = aiCallOf(node, source);
    if (!call) continue;
    placeholders.set(node, `ai__${aiCalls.length}`);
    aiCalls.push(call);
    defaults.push(compileDefault(call));
  }
  const rewrite = aiCalls.length > 0 || needsInstruments(root);
  const written = rewrite ? instrument(root, (node) => placeholders.get(node)) : undefined;
  const original = written ? (position: number) => written.originalPosition(position) : (position: number) => position;
  const run = written ? parseInstrumented(written.source, original) : program;

  function evaluate<Value>(finish: (result: unknown) => Value, scope: TemplateScope, values: JsonObject = {}): Value {
    const context: Record<string, unknown> = Object.create(null);
    for (const name of variables) {
      const value = scope.get(name);
      if (value === undefined) continue;
      if (isTooDeep(value)) throw tooDeep();
      context[name] = value;
    }
    for (const [index, call] of aiCalls.entries()) {
      const given = Object.hasOwn(values, call.name) ? values[call.name] : undefined;
      context[`ai__${index}`] = exactNumber(call, given ?? defaults[index]?.(scope) ?? aiValue(call, values));
    }
    try {
      const result: unknown = rewrite
        ? metered(
            () => scope.clock(),
            () => run(context),
          )
        : run(context);
      return finish(result);
    } catch (error) {
      if (error instanceof EvaluationError) explainMissing(error, scope, original);
      throw problemOf(error, original);
    }
  }
  return {
    source,
    aiCalls,
    wholeAi: aiCallOf(root, source),
    evaluate: (scope, values) => evaluate((result) => finish(result, toJson), scope, values),
    evaluateExact: (scope, values) => evaluate((result) => finish(result, toExactJson), scope, values),
  };
}

function tooDeep(): TemplateProblem {
  const message = `The data is nested deeper than ${maxLevels} levels.`;
  return new TemplateProblem(
    "limit",
    0,
    message,
    "Take the part that is needed by its path alone, or use a code node.",
  );
}

/** What the model gave for a number, as one that CEL works with: its digits count as a number although they are text. */
function exactNumber({ type }: AiCall, value: Json): Json | bigint {
  return (type === "integer" || type === "number") && isLargeInteger(value) ? BigInt(value) : value;
}

/** Data has large integers as their digits, and `in` compares without the operators: so literals beside it are digits too. */
function writeLargeIntegersAsText([item, list]: [ASTNode, ASTNode]): void {
  const compared = list.op === "list" && item.op !== "call" ? [item, ...list.args] : [item];
  for (const node of compared) {
    if (node.op !== "value" || typeof node.args !== "bigint") continue;
    const written = jsonInteger(node.args);
    if (typeof written === "string") Object.assign(node, { args: written });
  }
}

/** What a default gives that is worked out when the model leaves its part out. */
type AiDefault = (scope: TemplateScope) => Json;

/** A default that is an expression, or a text with expressions in it; undefined for a plain value. */
function compileDefault({ default: value, otherwise, position }: AiCall): AiDefault | undefined {
  if (otherwise) {
    const expression = compileOwn(otherwise.source, otherwise.position);
    return (scope) => expression.evaluate(scope);
  }
  if (value === undefined || !holdsTemplate(value)) return undefined;
  const parts = splitTemplate(value).map((part) =>
    part.kind === "text" ? part.text : compileOwn(part.source, position),
  );
  const [only, ...others] = parts;
  if (only !== undefined && typeof only !== "string" && others.length === 0) return (scope) => only.evaluate(scope);
  return (scope) => parts.map((part) => (typeof part === "string" ? part : textOf(part.evaluate(scope)))).join("");
}

/** An expression within a default: data alone, nothing of the model's. */
function compileOwn(source: string, position: number): Expression {
  try {
    const expression = compileExpression(source);
    if (expression.aiCalls.length === 0) return expression;
  } catch (error) {
    throw error instanceof TemplateProblem ? error.shiftedBy(position) : error;
  }
  throw new TemplateProblem("syntax", position, "The default of ai(…) cannot hold another ai(…).", "Use data in it.");
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Data is JSON already and passes as it is, however large. */
function timeAsText(value: Json | Date): Json {
  return value instanceof Date ? value.toISOString() : value;
}

function finish<Value>(value: unknown, convert: (value: unknown) => Value): Value {
  try {
    return convert(value);
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    throw new TemplateProblem("value", 0, error.message, "An expression must give a JSON value.");
  }
}

/** CEL says only that a key or variable is missing; reading the same path again names the nearest one that exists. */
function explainMissing(error: EvaluationError, scope: TemplateScope, original: (position: number) => number): void {
  const missing = ["no_such_key", "unknown_variable", "index_out_of_bounds"].includes(error.code);
  const path = missing && error.node ? pathOf(error.node, original) : undefined;
  if (path && scope.get(path.variable) !== undefined) readPath(path, scope);
  else if (path && error.code === "unknown_variable") readPath(path, scope);
}

/** The path that an expression consists of, when it is nothing else. */
function pathOf(node: ASTNode, original = (position: number) => position): Path | undefined {
  const steps: PathStep[] = [];
  let current = node;
  for (;;) {
    if (current.op === "id") {
      return { variable: current.args, position: original(current.pos), steps: steps.toReversed() };
    }
    if (current.op === ".") {
      steps.push({ key: current.args[1], position: original(current.pos) });
      current = current.args[0];
    } else if (current.op === "[]") {
      const [object, index] = current.args;
      const key = index.op === "value" ? index.args : undefined;
      if (typeof key === "string") steps.push({ key, position: original(index.pos) });
      else if (typeof key === "bigint") steps.push({ key: Number(key), position: original(index.pos) });
      else return undefined;
      current = object;
    } else {
      return undefined;
    }
  }
}

/** Any failure of the CEL library as a TemplateProblem; its own messages are kept where they are plain enough. */
function problemOf(error: unknown, original: (position: number) => number): unknown {
  if (error instanceof TemplateProblem) return error;
  if (error instanceof EvaluationLimit) {
    return new TemplateProblem("limit", 0, error.message, "Use a code node for heavy work.");
  }
  if (error instanceof RangeError) {
    return new TemplateProblem("limit", 0, "The expression is nested too deeply.", "Split it over several nodes.");
  }
  if (error instanceof ParseError) {
    const position = original(error.range?.start ?? 0);
    if (error.code === "limit_exceeded") {
      return new TemplateProblem("limit", position, `${sentence(error.summary)}.`, syntaxHint);
    }
    const { message, hint } = syntaxMessage(error.summary);
    return new TemplateProblem("syntax", position, message, hint);
  }
  if (error instanceof EvaluationError || error instanceof CelTypeError) {
    const missing = error.code === "no_such_key" || error.code === "unknown_variable";
    const position = original(error.range?.start ?? 0);
    return new TemplateProblem(missing ? "missing" : "value", position, `${sentence(error.summary)}.`, hintFor(error));
  }
  return error;
}

function hintFor(error: EvaluationError | CelTypeError): string {
  if (error.code === "no_such_overload" && error.summary.includes("string")) {
    return "Text and numbers do not mix: write string(…) around the number, or put it into braces of its own.";
  }
  if (error.code === "no_matching_overload") return "There is no such function for these values.";
  return syntaxHint;
}

/** CEL's type names in words: `dyn<string>` → `string`. */
function sentence(summary: string): string {
  const plain = summary.replace(/dyn<([^<>]+)>/g, "$1").replace(/\.$/, "");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
