import {
  asArgument,
  asBase,
  asNumber,
  asTruth,
  asValue,
  asWritten,
  either,
  NoExpression,
  type Piece,
  piece,
} from "./piece.ts";

const comparisons: Readonly<Record<string, (a: Piece, b: Piece) => string>> = {
  "<": (a, b) => less(a, b),
  ">": (a, b) => less(b, a),
  "<=": (a, b) => atMost(a, b),
  ">=": (a, b) => atMost(b, a),
};
const isNumber = (one: Piece) => one.kind === "number" || one.kind === "int" || one.kind === "date";
const amount = (one: Piece) => (one.kind === "date" ? `millis(${one.code})` : asNumber(one));
/** A comparison; one with a date that cannot be read does not hold. */
const compared = (a: Piece, b: Piece, sign: "<" | "<=") => {
  const code = `${amount(a)} ${sign} ${amount(b)}`;
  return a.uncertain || b.uncertain ? `truthy(maybe(${code}))` : code;
};
const less = (a: Piece, b: Piece) =>
  isNumber(a) || isNumber(b) ? compared(a, b, "<") : `isLess(${asArgument(a)}, ${asArgument(b)})`;
const atMost = (a: Piece, b: Piece) =>
  isNumber(a) || isNumber(b) ? compared(a, b, "<=") : `isAtMost(${asArgument(a)}, ${asArgument(b)})`;

export function unary(operator: string, inner: Piece): Piece {
  switch (operator) {
    case "!":
      return piece(
        "bool",
        `!${inner.kind === "bool" && !/^[\w]+(\(.*\))?$/s.test(inner.code) ? `(${inner.code})` : asTruth(inner)}`,
      );
    case "-":
      if (typeof inner.literal === "number") return piece(inner.kind, `-${inner.code}`, { literal: -inner.literal });
      return piece("number", `(-${amount(inner)})`);
    case "+":
      return piece("number", amount(inner));
    case "typeof":
      return piece("string", inner.special ? '"object"' : `typeName(${asArgument(inner)})`);
    case "void":
      return piece("null", "null");
    default:
      throw new NoExpression(`the operator ${operator}`);
  }
}

export function logical(operator: string, left: Piece, right: Piece): Piece {
  if (left.kind === "bool" && right.kind === "bool" && operator !== "??") {
    return piece("bool", `(${left.code} ${operator} ${right.code})`);
  }
  if (operator === "&&") return either(asTruth(left), right, left);
  const name = operator === "||" ? "fallback" : "coalesce";
  const chained =
    left.code.startsWith(`${name}(`) &&
    left.kind === "dyn" &&
    closesAtEnd(left.code, name.length) &&
    argumentCount(left.code) < 8;
  const parts = chained ? left.code.slice(name.length + 1, -1) : asArgument(left);
  return piece("dyn", `${name}(${parts}, ${asArgument(right)})`);
}

export function binary(operator: string, left: Piece, right: Piece): Piece {
  const compare = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined;
  if (compare) return piece("bool", `(${compare(left, right)})`);
  switch (operator) {
    case "+":
      return sum(left, right);
    case "-":
    case "*":
    case "/":
      return piece(
        "number",
        `(${amount(left)} ${operator} ${amount(right)})`,
        left.uncertain || right.uncertain ? { uncertain: true } : {},
      );
    case "%":
      return piece("number", `(${amount(left)} % ${amount(right)})`);
    case "**":
      return piece("number", `power(${asArgument(left)}, ${asArgument(right)})`);
    case "===":
    case "!==":
    case "==":
    case "!=":
      return piece("bool", equality(operator, left, right));
    case "in":
      return piece("bool", `hasKey(${asBase(right)}, ${asArgument(left)})`);
    default:
      throw new NoExpression(`the operator ${operator}`);
  }
}

function sum(left: Piece, right: Piece): Piece {
  if (left.kind === "string" || right.kind === "string") {
    const before =
      left.code.startsWith("concat(") &&
      left.kind === "string" &&
      closesAtEnd(left.code, 6) &&
      argumentCount(left.code) < 14
        ? left.code.slice(7, -1)
        : asWritten(left);
    return piece("string", `concat(${before}, ${asWritten(right)})`);
  }
  if (isNumber(left) && isNumber(right) && left.kind !== "date" && right.kind !== "date")
    return piece("number", `(${asNumber(left)} + ${asNumber(right)})`);
  return piece("dyn", `plus(${asArgument(left)}, ${asArgument(right)})`);
}

export function equality(operator: string, left: Piece, right: Piece): string {
  const negated = operator.startsWith("!");
  const loose = operator.length === 2;
  const isNull = (one: Piece) => one.kind === "null";
  const isMissing = (one: Piece) => one.kind === "opt" && one.code === "optional.none()";
  if (isNull(right) || isNull(left) || isMissing(right) || isMissing(left)) {
    const other = isNull(right) || isMissing(right) ? left : right;
    const here = asArgument(other);
    const strictNull = !loose && (isNull(right) || isNull(left));
    if (loose || (!strictNull && other.kind !== "opt")) return `${negated ? "!" : ""}isNothing(${here})`;
    const name = `typeName(${here})`;
    if (!strictNull) return `${name} ${negated ? "!=" : "=="} "undefined"`;
    const both = `(isNothing(${here}) && ${name} != "undefined")`;
    return negated ? `!${both}` : both;
  }
  const sameKind = left.kind === right.kind && ["string", "bool"].includes(left.kind);
  const numbers = isNumber(left) && isNumber(right);
  if (numbers) return `(${amount(left)} ${negated ? "!=" : "=="} ${amount(right)})`;
  if (!loose || sameKind) {
    const value = (one: Piece) =>
      one.kind === "opt" || one.kind === "dyn" ? asValue(one) : sameKind ? one.code : `dyn(${asValue(one)})`;
    return `(${value(left)} ${negated ? "!=" : "=="} ${value(right)})`;
  }
  return `${negated ? "!" : ""}equals(${asArgument(left)}, ${asArgument(right)})`;
}

export function concat(parts: readonly Piece[]): string {
  if (parts.length <= 14) return `concat(${parts.map(asWritten).join(", ")})`;
  return `concat(${parts.slice(0, 13).map(asWritten).join(", ")}, ${concat(parts.slice(13))})`;
}

/** Whether the parenthesis at `open` closes at the very end of the code. */
function closesAtEnd(code: string, open: number): boolean {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === '"') {
      for (at += 1; at < code.length && code[at] !== '"'; at += 1) if (code[at] === "\\") at += 1;
    } else if (code[at] === "(") depth += 1;
    else if (code[at] === ")") {
      depth -= 1;
      if (depth === 0) return at === code.length - 1;
    }
  }
  return false;
}

/** How many arguments the outermost call has. */
function argumentCount(code: string): number {
  let depth = 0;
  let count = 1;
  for (let at = 0; at < code.length; at += 1) {
    const character = code[at];
    if (character === '"') {
      for (at += 1; at < code.length && code[at] !== '"'; at += 1) if (code[at] === "\\") at += 1;
    } else if (character === "(" || character === "[" || character === "{") depth += 1;
    else if (character === ")" || character === "]" || character === "}") depth -= 1;
    else if (character === "," && depth === 1) count += 1;
  }
  return count;
}
