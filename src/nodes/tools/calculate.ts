import { Parser } from "expr-eval-fork";

/** A finite number, or what is wrong with the expression and where. */
type Calculation = { ok: true; value: number } | { ok: false; message: string };

const maxChars = 1_000;
const removedFunctions = ["random", "if", "map", "fold", "filter", "indexOf", "join", "sum", "pyt", "roundTo"];
const notAllowed = /["'`[\]{};=<>|?:&$#@\\]/;

/** Without prototypes, so that names such as `constructor` are unknown like any other. */
function bare<Value>(record: Record<string, Value>, without: readonly string[] = []): Record<string, Value> {
  const copy: Record<string, Value> = Object.assign(Object.create(null), record);
  for (const name of without) delete copy[name];
  return copy;
}

function createParser(): Parser {
  const parser = new Parser({
    allowMemberAccess: false,
    operators: {
      assignment: false,
      fndef: false,
      in: false,
      logical: false,
      comparison: false,
      conditional: false,
      concatenate: false,
      length: false,
      random: false,
    },
  });
  parser.functions = bare(parser.functions, removedFunctions);
  parser.unaryOps = bare(parser.unaryOps, ["length", "not"]);
  parser.consts = bare({ PI: Math.PI, pi: Math.PI, π: Math.PI, E: Math.E, e: Math.E });
  return parser;
}

const parser = createParser();

/** Signs that people and models write, in the parser's own; every replacement keeps the length, so positions hold. */
function plainSigns(expression: string): string {
  return expression.replaceAll("**", "^ ").replace(/[−–]/g, "-").replace(/[×·]/g, "*").replaceAll("÷", "/");
}

function parses(expression: string): boolean {
  try {
    parser.parse(expression);
    return true;
  } catch {
    return false;
  }
}

/** Whether something can follow the start of an expression so that it becomes a whole one. */
function isViable(start: string): boolean {
  const open = Math.max(0, start.split("(").length - start.split(")").length);
  const closing = ")".repeat(open);
  return ["", "1", "(1)"].some((middle) => parses(start + middle + closing));
}

/** The place (from 0) of the first character that cannot be right; the end when something is missing there. */
function errorPosition(expression: string): number {
  let good = 0;
  let bad = expression.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isViable(expression.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function pointAt(expression: string, position: number, problem: string): Calculation {
  const around = expression.slice(Math.max(0, position - 12), position + 13).trim();
  return { ok: false, message: `${problem} at character ${position + 1}, near "${around}".` };
}

/**
 * Calculates an arithmetic expression: + - * / ^ % (remainder), parentheses, unary minus, factorial, PI, E and the usual
 * functions (angles in radians; log and ln are natural). Never throws. Results are rounded to 15 significant digits, so
 * that 0.1 + 0.2 is 0.3.
 */
export function calculate(expression: string): Calculation {
  if (expression.trim() === "") return { ok: false, message: "The expression is empty." };
  if (expression.length > maxChars)
    return { ok: false, message: `The expression is longer than ${maxChars} characters. Split it up.` };
  const plain = plainSigns(expression);
  const forbidden = notAllowed.exec(plain);
  if (forbidden) return pointAt(expression, forbidden.index, `"${forbidden[0]}" is not allowed`);
  if (!parses(plain)) {
    const position = errorPosition(plain);
    if (position >= plain.trimEnd().length)
      return {
        ok: false,
        message: `The expression ends too early, after character ${position}: something is missing.`,
      };
    return pointAt(expression, position, `Unexpected "${expression.charAt(position)}"`);
  }
  try {
    const parsed = parser.parse(plain);
    const unknown = parsed.variables()[0];
    if (unknown !== undefined) {
      const position = plain.search(new RegExp(String.raw`(?<![\w.])${unknown}(?!\w)`));
      const problem = Object.hasOwn(parser.unaryOps, unknown)
        ? `The function "${unknown}" needs a value in parentheses`
        : `Unknown name "${unknown}"`;
      return pointAt(expression, Math.max(0, position), problem);
    }
    const value: unknown = parsed.evaluate();
    if (typeof value !== "number") return { ok: false, message: "The expression does not give a number." };
    if (!Number.isFinite(value)) return { ok: false, message: notFinite(plain, value) };
    return { ok: true, value: Number(value.toPrecision(15)) };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `The expression could not be calculated: ${cause}.` };
  }
}

function notFinite(expression: string, value: number): string {
  const zero = /[/%]\s*\(?\s*0+(?:\.0*)?(?![\d.])/.exec(expression);
  if (zero) return `The result is not a finite number: division by zero at character ${zero.index + 1}.`;
  return Number.isNaN(value)
    ? "The result is not a number, such as the square root of a negative one."
    : "The result is infinite: it is too large for a number, or a part of it is divided by zero or the logarithm of zero.";
}
