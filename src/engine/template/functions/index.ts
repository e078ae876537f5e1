import { type ASTNode, type Environment, EvaluationError, Optional } from "@marcbachmann/cel-js";
import { dateFunctions } from "./date-functions.ts";
import type { ExpressionFunction, FunctionTable } from "./function-table.ts";
import { listFunctions } from "./list-functions.ts";
import { numberFunctions } from "./number-functions.ts";
import { textFunctions } from "./text-functions.ts";
import { opened, recordOf, typeWord, unfit, type Value } from "./values.ts";

/** Every function that Switchyard adds to CEL, by name; the completion list is made from it. */
export const expressionFunctions = {
  ...textFunctions,
  ...listFunctions,
  ...numberFunctions,
  ...dateFunctions,
} as const satisfies FunctionTable;

/** Those that look at their arguments only as far as they need to, for the completion list. */
export const lazyFunctions = {
  maybe: "maybe(json.user.name) → null where a part of it is missing or does not fit",
  fallback: 'fallback(json.?name, "nobody") → the first that is not empty, 0, false or missing',
  coalesce: 'coalesce(json.?name, "nobody") → the first that is neither null nor missing',
} as const;

/** Whether a name is a function whose cost has to be counted. */
export function isCounted(name: string): boolean {
  return Object.hasOwn(expressionFunctions, name) || Object.hasOwn(lazyFunctions, name);
}

const sync = { async: false };
/** Characters of work that count as one step of an expression's budget. */
const charactersPerStep = 256;

function weight(value: Value): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return 1;
}

/** Adds the functions. `count` is called per piece of work, `grow` with what is made; both throw when it is too much. */
export function addFunctions(
  environment: Environment,
  { count, grow }: { count(): void; grow(value: unknown): void },
): void {
  const tables: FunctionTable = expressionFunctions;
  for (const [name, definition] of Object.entries(tables)) {
    const call = (...given: Value[]): Value => {
      const values = given.map(opened);
      let work = 1;
      for (const value of values) work += weight(value) / charactersPerStep;
      for (let step = 0; step < work; step += 1) count();
      const result = runSafely(name, definition, values);
      grow(result);
      return result === undefined ? null : result;
    };
    for (let arity = definition.takes[0]; arity <= definition.takes[1]; arity += 1) {
      const dyns = Array.from({ length: arity }, () => "dyn").join(", ");
      environment.registerFunction(`${name}(${dyns}): ${definition.gives}`, call, sync);
    }
  }
  addLazy(environment);
}

function runSafely(name: string, definition: ExpressionFunction, values: Value[]): Value {
  try {
    return definition.run(...values);
  } catch (error) {
    if (error instanceof EvaluationError) throw error;
    throw unfit(`${name} cannot work with ${values.map(typeWord).join(", ")}`);
  }
}

/** A function of the CEL library that gets its arguments unread: `work` reads those that it needs. */
function lazy(work: (parts: readonly ASTNode[], read: (part: ASTNode | undefined) => Value) => Value) {
  return ({ args }: { args: readonly ASTNode[] }) => ({
    typeCheck(checker: Checker, _macro: unknown, context: unknown): unknown {
      for (const part of args) checker.check(part, context);
      return checker.getType("dyn");
    },
    evaluate(evaluator: Evaluator, _macro: unknown, context: unknown): Value {
      return work(args, (part) => evaluator.run(part, context));
    },
    async: false,
  });
}

interface Checker {
  check(part: ASTNode, context: unknown): unknown;
  getType(name: string): unknown;
}

interface Evaluator {
  run(part: ASTNode | undefined, context: unknown): Value;
}

/** Whether a number that JSON does not have stands in lists or objects that an expression has made. */
function holdsNoNumber(value: unknown, depth = 0): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null || depth > 32) return false;
  if (Array.isArray(value)) return value.some((one) => holdsNoNumber(one, depth + 1));
  const record = recordOf(value);
  return record !== undefined && Object.values(record).some((one) => holdsNoNumber(one, depth + 1));
}

/** Such numbers as null, as JSON has them. */
function withoutNoNumbers(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(withoutNoNumbers);
  const record = recordOf(value);
  if (!record) return value;
  return Object.fromEntries(Object.entries(record).map(([key, one]) => [key, withoutNoNumbers(one)]));
}

function addLazy(environment: Environment): void {
  const choose = (take: (value: Value) => boolean, most: number, name: string) => {
    for (let arity = 2; arity <= most; arity += 1) {
      const asts = Array.from({ length: arity }, () => "ast").join(", ");
      environment.registerFunction(
        `${name}(${asts}): dyn`,
        lazy((parts, evaluate) => {
          let value: Value = null;
          for (const part of parts) {
            value = opened(evaluate(part));
            if (take(value)) break;
          }
          return value === undefined ? null : value;
        }),
        sync,
      );
    }
  };
  choose((value) => value !== undefined && value !== null, 8, "coalesce");
  choose((value) => Boolean(value), 8, "fallback");
  environment.registerFunction(
    "maybe(ast): dyn",
    lazy(([part], evaluate) => {
      try {
        const value: unknown = evaluate(part);
        if (typeof value === "number" && !Number.isFinite(value)) return null;
        if (holdsNoNumber(value)) return withoutNoNumbers(value);
        return value instanceof Optional ? (opened(value) ?? null) : value;
      } catch (error) {
        if (error instanceof EvaluationError) return null;
        throw error;
      }
    }),
    sync,
  );
}
