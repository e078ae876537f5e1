import { isMatchable } from "../expressions/pattern.ts";
import type { Made } from "./made.ts";
import { quoted } from "../expressions/piece.ts";

/** Something that a condition compares: CEL, and its value where it is fixed. */
export interface Operand {
  code: string;
  fixed?: string | number | boolean | null;
}

export const fixed = (value: string | number | boolean | null): Operand => ({
  code: typeof value === "string" ? quoted(value) : JSON.stringify(value),
  fixed: value,
});

type Compare = (left: Operand, right: Operand) => string;

const number = ({ code, fixed: value }: Operand): string => {
  const known = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof known === "number" && Number.isFinite(known))
    return Number.isInteger(known) && !/e/i.test(String(known)) ? `${known}.0` : String(known);
  return `number(${code})`;
};
const text = ({ code, fixed: value }: Operand): string => (typeof value === "string" ? code : `text(${code})`);
const isNumeric = ({ fixed: value }: Operand) => typeof value === "number";

const equal: Compare = (left, right) =>
  isNumeric(left) || isNumeric(right) ? `${number(left)} == ${number(right)}` : `equals(${left.code}, ${right.code})`;

/** What can be a list is looked through as one; all else is text. */
const contains: Compare = (left, right) =>
  `(isList(${left.code}) ? includes(${left.code}, ${right.code}) : includes(text(${left.code}), ${text(right)}))`;

const inside: Compare = (left, right) =>
  typeof right.fixed === "string"
    ? `[${right.fixed
        .split(",")
        .map((one) => quoted(one.trim()))
        .join(", ")}].exists(one, equals(one, ${left.code}))`
    : contains(right, left);

/** The comparisons of other builders, by one name each. */
const operators: Readonly<Record<string, Compare>> = {
  equal,
  contains,
  inside,
  beginsWith: (left, right) => `beginsWith(${text(left)}, ${text(right)})`,
  endsWith: (left, right) => `finishesWith(${text(left)}, ${text(right)})`,
  matches: (left, right) => `matchesPattern(${text(left)}, ${text(right)})`,
  empty: ({ code }) => `isEmpty(${code})`,
  missing: ({ code }) => `isNothing(${code})`,
  truthy: ({ code }) => `truthy(${code})`,
  greater: (left, right) => `${number(left)} > ${number(right)}`,
  less: (left, right) => `${number(left)} < ${number(right)}`,
  atLeast: (left, right) => `${number(left)} >= ${number(right)}`,
  atMost: (left, right) => `${number(left)} <= ${number(right)}`,
  after: (left, right) => `millis(date(${left.code})) > millis(date(${right.code}))`,
  before: (left, right) => `millis(date(${left.code})) < millis(date(${right.code}))`,
};

/** The words that builders have for them. */
const words: readonly [name: string, ...spellings: string[]][] = [
  ["equal", "is", "=", "==", "===", "equals", "equal", "equal to", "is equal"],
  ["contains", "contains", "all of", "includes"],
  ["inside", "in"],
  ["beginsWith", "start with", "starts with", "startswith"],
  ["endsWith", "end with", "ends with", "endswith"],
  ["matches", "regex", "matches", "matches regex"],
  ["empty", "empty", "is empty", "isempty"],
  ["missing", "null", "is null", "not exists"],
  ["truthy", "true", "is true"],
  ["greater", ">", "larger", "greater than", "greater"],
  ["less", "<", "smaller", "less than", "less"],
  ["atLeast", "≥", ">=", "largerequal", "greater than or equal", "greater than or equal to"],
  ["atMost", "≤", "<=", "smallerequal", "less than or equal", "less than or equal to"],
  ["after", "after"],
  ["before", "before"],
];
const refused: readonly [name: string, ...spellings: string[]][] = [
  ["equal", "is not", "≠", "!=", "!==", "not equal", "not equal to", "not equals", "notequal", "notequals"],
  ["contains", "not contains", "notcontains", "does not contain"],
  ["inside", "not in", "notin"],
  ["empty", "not empty", "is not empty", "notempty"],
  ["missing", "not null", "is not null", "exists"],
  ["truthy", "false", "is false"],
];

const byWord = new Map<string, { compare: Compare; negated: boolean }>();
for (const [list, negated] of [
  [words, false],
  [refused, true],
] as const) {
  for (const [name, ...spellings] of list) {
    const compare = operators[name];
    if (compare) for (const one of spellings) byWord.set(one, { compare, negated });
  }
}

/** One comparison as CEL that cannot fail; undefined for an operator that is not known, or a pattern that cannot be matched here. */
export function comparison(left: Operand, operator: string, right: Operand): string | undefined {
  const found = byWord.get(operator.trim().toLowerCase());
  if (!found) return undefined;
  if (found.compare === operators.matches && typeof right.fixed === "string" && !isMatchable(right.fixed))
    return undefined;
  const code = found.compare(left, right);
  // A comparison that fails is false, and so is its opposite.
  return `truthy(maybe(${found.negated ? `!(${code})` : code}))`;
}

/** Tells which comparisons are not known. */
export function countsAsFalse(unknown: ReadonlySet<string>): Pick<Made, "outcome" | "note"> {
  if (unknown.size === 0) return {};
  return {
    outcome: "approximated",
    note: `Counts as false: ${[...unknown].join(", ")}. Write the condition anew.`,
  };
}

/** Several conditions as one. */
export function combined(parts: readonly string[], any: boolean): string {
  if (parts.length === 0) return any ? "false" : "true";
  return parts.map((one) => (parts.length === 1 ? one : `(${one})`)).join(any ? " || " : " && ");
}
