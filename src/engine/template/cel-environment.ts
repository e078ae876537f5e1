import { Environment, EvaluationError, Optional } from "@marcbachmann/cel-js";
import { addFunctions } from "./functions/index.ts";
import { matchesPattern } from "./match-pattern.ts";
import { isLargeInteger } from "../lossless-json.ts";

/** Most steps that the loops of one expression may take together, milliseconds, and characters built. */
const evaluationLimits = { steps: 25_000, milliseconds: 100, size: 5_000_000 } as const;
/** Few steps may take longer: a process that waits for its turn is no expression that takes its time. */
const fewSteps = { steps: 64, milliseconds: 1_000 } as const;
/** What an item of a list counts for, in characters. */
const itemSize = 5;

/** Thrown inside an evaluation that takes too long or builds too much. */
export class EvaluationLimit extends Error {}

interface Meter {
  steps: number;
  size: number;
  started: number;
  clock(): number;
  /** The limit that was reached first. */
  reached?: EvaluationLimit;
}

/** Evaluations are synchronous and do not nest, so one meter at a time is enough. */
let meter: Meter | undefined;

/**
 * Runs an evaluation with a budget of steps, time (by `clock`, milliseconds) and size. A limit that was reached ends it in any case:
 * `all`, `exists`, `||` and `&&` go on where a part of them fails.
 */
export function metered<Result>(clock: () => number, evaluate: () => Result): Result {
  const outer = meter;
  const own: Meter = { steps: 0, size: 0, started: clock(), clock };
  meter = own;
  try {
    const result = evaluate();
    if (own.reached) throw own.reached;
    return result;
  } catch (error) {
    throw own.reached ?? error;
  } finally {
    meter = outer;
  }
}

/** Counts a step; false where no further one may be taken. */
function mayStep(): boolean {
  if (!meter) return true;
  if (meter.reached) return false;
  meter.steps += 1;
  const { milliseconds } = meter.steps % fewSteps.steps === 0 ? evaluationLimits : fewSteps;
  if (meter.steps <= evaluationLimits.steps && meter.clock() - meter.started <= milliseconds) return true;
  meter.reached = new EvaluationLimit("The expression takes too long.");
  return false;
}

function countStep(value: unknown): unknown {
  if (!mayStep()) throw meter?.reached;
  return value;
}

function countSize(value: unknown): unknown {
  if (!meter) return value;
  meter.size += typeof value === "string" ? value.length : Array.isArray(value) ? value.length * itemSize : 1;
  if (meter.size > evaluationLimits.size)
    meter.reached ??= new EvaluationLimit("The expression creates too much data.");
  if (meter.reached) throw meter.reached;
  return value;
}

/** Lets data pass whose members may be looked at: times, durations and bytes have none in CEL, but do in JavaScript. */
function onlyData(value: unknown): unknown {
  const inner = value instanceof Optional && value.hasValue() ? value.value() : value;
  if (typeof inner === "object" && inner !== null && !Array.isArray(inner) && !(inner instanceof Optional)) {
    const prototype: unknown = Object.getPrototypeOf(inner);
    const plain = prototype === null || (typeof prototype === "object" && Object.getPrototypeOf(prototype) === null);
    if (!plain) throw new EvaluationError({ code: "no_such_key", message: "The value has nothing inside" });
  }
  return value;
}

function asNumbers(compute: (left: number, right: number) => number) {
  return (left: number | bigint, right: number | bigint) => compute(Number(left), Number(right));
}

const arithmetic = {
  "+": asNumbers((left, right) => left + right),
  "-": asNumbers((left, right) => left - right),
  "*": asNumbers((left, right) => left * right),
  "/": asNumbers((left, right) => left / right),
} as const;

/** Names that the instrumented source calls; no one else's identifiers look like this. */
export const meterNames = { step: "step__", next: "next__", size: "size__", data: "data__", match: "match__" } as const;

/**
 * CEL as templates use it: any variable may appear, lists may mix types, optional access (`a.?b.orValue(c)`) is on. All
 * JSON numbers are doubles in CEL while literals are whole, so that mixed arithmetic is added: `json.count + 1`.
 */
function createEnvironment(maxDepth: number): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: { maxAstNodes: 4_000, maxDepth, maxListElements: 1_000, maxMapEntries: 1_000, maxCallArguments: 16 },
  });
  for (const [operator, compute] of Object.entries(arithmetic)) {
    environment.registerOperator(`int ${operator} double: double`, compute);
    environment.registerOperator(`double ${operator} int: double`, compute);
  }
  const remainder = asNumbers((left, right) => left % right);
  for (const types of ["int % double", "double % int", "double % double"]) {
    environment.registerOperator(`${types}: double`, remainder);
  }
  addLargeIntegers(environment);
  const substring = (text: string, start: number, end?: number) => text.substring(Number(start), end && Number(end));
  const sync = { async: false };
  environment.registerFunction("string.substring(double): string", substring, sync);
  environment.registerFunction("string.substring(double, double): string", substring, sync);
  environment.registerFunction(`${meterNames.step}(dyn): dyn`, countStep, sync);
  environment.registerFunction(`${meterNames.next}(): bool`, mayStep, sync);
  environment.registerFunction(`${meterNames.size}(dyn): dyn`, countSize, sync);
  environment.registerFunction(`${meterNames.data}(dyn): dyn`, onlyData, sync);
  environment.registerFunction(
    `string.${meterNames.match}(string): bool`,
    (text: string, pattern: string) => matchesPattern(text, pattern, () => countStep(undefined)),
    sync,
  );
  addFunctions(environment, { count: () => countStep(undefined), grow: countSize });
  return environment;
}

type Comparison = (left: number | bigint, right: number | bigint) => boolean;

const comparisons: Readonly<Record<"<" | "<=" | ">" | ">=", Comparison>> = {
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};

/** The digits of an integer that JSON could not hold compare with numbers as the integer that they are. */
function addLargeIntegers(environment: Environment): void {
  for (const type of ["int", "double"]) {
    environment.registerOperator(
      `dyn<string> == ${type}`,
      // Their types differ in JavaScript as well, so that only a loose comparison compares their values.
      // oxlint-disable-next-line eqeqeq
      (text: string, number: number | bigint) => isLargeInteger(text) && BigInt(text) == number,
    );
    for (const [operator, compare] of Object.entries(comparisons)) {
      environment.registerOperator(`string ${operator} ${type}`, (text: string, number: number | bigint) =>
        compare(integerOf(text, operator, type), number),
      );
      environment.registerOperator(`${type} ${operator} string`, (number: number | bigint, text: string) =>
        compare(number, integerOf(text, operator, type)),
      );
    }
  }
}

function integerOf(text: string, operator: string, type: string): bigint {
  if (isLargeInteger(text)) return BigInt(text);
  throw new EvaluationError({ code: "no_such_overload", message: `No such overload: string ${operator} ${type}` });
}

/** Built when it is first needed: a process that only reads workflows does without it. */
function once(maxDepth: number): () => Environment {
  let environment: Environment | undefined;
  return () => (environment ??= createEnvironment(maxDepth));
}

/** For what a user wrote. */
export const celEnvironment = once(64);

/** For instrumented source, which has more parentheses. */
export const instrumentedEnvironment = once(250);
