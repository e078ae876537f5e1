import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import {
  asArgument,
  asNumber,
  asTruth,
  double,
  NoExpression,
  type Piece,
  piece,
  quoted,
} from "../expressions/piece.ts";
import { checked } from "../expressions/pattern.ts";
import { attempt } from "../expressions/translate.ts";
import { choiceIn, untraced } from "../parameters.ts";
import { lookup } from "../lookup.ts";
import type { NodeWork } from "./node-work.ts";

type Compare = (left: Piece, right: Piece, anyCase: boolean) => string;

const textual = (one: Piece, anyCase: boolean) => {
  if (typeof one.literal === "string") return quoted(anyCase ? one.literal.toLowerCase() : one.literal);
  return anyCase ? `lower(text(${asArgument(one)}))` : `text(${asArgument(one)})`;
};
const moment = (one: Piece) => (one.kind === "date" ? `millis(${one.code})` : `millis(date(${asArgument(one)}))`);
const same: Compare = (left, right, anyCase) => {
  if (left.kind === "bool" || right.kind === "bool") return `(${boolish(left)} == ${boolish(right)})`;
  if (right.kind === "int" || right.kind === "number") return `${asNumber(left)} == ${asNumber(right)}`;
  if (anyCase) return `${textual(left, true)} == ${textual(right, true)}`;
  return `equals(${asArgument(left)}, ${asArgument(right)})`;
};
const boolish = (one: Piece) =>
  one.literal === "true" || one.literal === "false"
    ? String(one.literal)
    : one.kind === "string"
      ? `lower(${one.code}) == "true"`
      : one.kind === "bool"
        ? asTruth(one)
        : // As n8n reads texts and numbers where it wants true or false.
          `!includes(["", "false", "0"], lower(text(${asArgument(one)})))`;
const size = (one: Piece) => `length(coalesce(${asArgument(one)}, []))`;

/** What n8n's operators mean, by their names of all versions. */
const operators: Readonly<Record<string, Compare>> = {
  equals: same,
  equal: same,
  contains: (left, right, anyCase) => contains(left, right, anyCase),
  startsWith: (left, right, anyCase) => `beginsWith(${textual(left, anyCase)}, ${textual(right, anyCase)})`,
  endsWith: (left, right, anyCase) => `finishesWith(${textual(left, anyCase)}, ${textual(right, anyCase)})`,
  regex: (left, right) => pattern(left, right),
  exists: (left) => `!isNothing(${asArgument(left)})`,
  empty: (left) => `isEmpty(${asArgument(left)})`,
  isEmpty: (left) => `isEmpty(${asArgument(left)})`,
  true: (left) => boolish(left),
  false: (left) => `!${wrapped(boolish(left))}`,
  gt: (left, right) => `${asNumber(left)} > ${asNumber(right)}`,
  larger: (left, right) => `${asNumber(left)} > ${asNumber(right)}`,
  gte: (left, right) => `${asNumber(left)} >= ${asNumber(right)}`,
  largerEqual: (left, right) => `${asNumber(left)} >= ${asNumber(right)}`,
  lt: (left, right) => `${asNumber(left)} < ${asNumber(right)}`,
  smaller: (left, right) => `${asNumber(left)} < ${asNumber(right)}`,
  lte: (left, right) => `${asNumber(left)} <= ${asNumber(right)}`,
  smallerEqual: (left, right) => `${asNumber(left)} <= ${asNumber(right)}`,
  after: (left, right) => `${moment(left)} > ${moment(right)}`,
  before: (left, right) => `${moment(left)} < ${moment(right)}`,
  afterOrEquals: (left, right) => `${moment(left)} >= ${moment(right)}`,
  beforeOrEquals: (left, right) => `${moment(left)} <= ${moment(right)}`,
  lengthEquals: (left, right) => `${size(left)} == ${asNumber(right)}`,
  lengthGt: (left, right) => `${size(left)} > ${asNumber(right)}`,
  lengthLt: (left, right) => `${size(left)} < ${asNumber(right)}`,
  lengthGte: (left, right) => `${size(left)} >= ${asNumber(right)}`,
  lengthLte: (left, right) => `${size(left)} <= ${asNumber(right)}`,
};

function contains(left: Piece, right: Piece, anyCase: boolean): string {
  if (left.kind === "list") return `includes(${left.code}, ${asArgument(right)})`;
  if (left.kind === "string" || typeof right.literal !== "string" || anyCase) {
    return `includes(${textual(left, anyCase)}, ${textual(right, anyCase)})`;
  }
  return `includes(coalesce(${asArgument(left)}, ""), ${quoted(right.literal)})`;
}

/** Whether a list holds a value; without regard to case, among its texts. */
function holds(left: Piece, right: Piece, anyCase: boolean): string {
  const all = asArgument(left);
  const has =
    anyCase && typeof right.literal === "string"
      ? `items(${all}).exists(one, typeName(one) == "string" && lower(text(one)) == ${textual(right, true)})`
      : `includes(${all}, ${asArgument(right)})`;
  return `(isList(${all}) ? ${has} : false)`;
}

function pattern(left: Piece, right: Piece): string {
  if (typeof right.literal === "string") {
    const [, source = right.literal, flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(right.literal) ?? [];
    checked({ source, flags: flags.replace(/[^gims]/g, "") });
  }
  const slashed = typeof right.literal === "string" ? /^\/(.*)\/([a-z]*)$/s.exec(right.literal) : null;
  const source = slashed ? quoted(slashed[1] ?? "") : asArgument(right);
  return `matchesPattern(text(${asArgument(left)}), ${source}${slashed?.[2] ? `, ${quoted(slashed[2].replace(/[^gims]/g, ""))}` : ""})`;
}

const wrapped = (code: string) => (/^[\w]+(\([^]*\))?$/.test(code) ? code : `(${code})`);

function comparison(
  work: NodeWork,
  left: Json | undefined,
  right: Json | undefined,
  operation: string,
  type: string,
  anyCase: boolean,
): string {
  // A choice may be marked as an expression that is only its own text.
  const chosen = operation.replace(/^=/, "");
  const negation = /^(?:not|isNot|lengthNot)([A-Z]\w*)$/.exec(chosen);
  const name = negation ? positive(chosen, negation[1] ?? "") : chosen;
  const compare = lookup(operators, name);
  if (!compare) throw new NoExpression(`the comparison ${chosen}`);
  // n8n keeps the other value where the comparison has none.
  if (compare.length < 2) work.idle(right, `“${chosen}” takes one value.`);
  const compared = name === "contains" && type === "array" ? holds : compare;
  const code = compared(typed(work.operand(left), type), typed(work.operand(right), type), anyCase);
  return negation ? `!${wrapped(code)}` : code;
}

function positive(operation: string, rest: string): string {
  if (operation.startsWith("lengthNot")) return `length${rest}`;
  return rest.charAt(0).toLowerCase() + rest.slice(1);
}

/** A literal text as the number that the comparison wants. */
function typed(one: Piece, type: string): Piece {
  if (type !== "number" || typeof one.literal !== "string" || one.literal.trim() === "") return one;
  const number = Number(one.literal);
  return Number.isNaN(number) ? one : piece("number", double(number), { literal: number });
}

/** The conditions of If, Filter and Switch, of all versions, as one CEL expression of true or false. Throws NoExpression. */
export function conditionOf(work: NodeWork, conditions: Json | undefined, combine: string): string {
  if (!isJsonObject(conditions)) {
    if (typeof conditions === "string") return asTruth(work.operand(conditions));
    throw new NoExpression("conditions of this kind");
  }
  const parts = Array.isArray(conditions.conditions)
    ? newConditions(work, conditions)
    : oldConditions(work, conditions);
  const isAny =
    choiceIn(conditions, "combinator", ["and", "or"], "and") === "or" || combine === "any" || combine === "or";
  if (parts.length === 0) return isAny ? "false" : "true";
  return parts.length === 1 ? (parts[0] ?? "true") : parts.map((one) => `(${one})`).join(isAny ? " || " : " && ");
}

/** Options of another kind stay unread, so that the report tells them. */
function ignoresCase(conditions: JsonObject): boolean {
  if (!isJsonObject(untraced(conditions).options)) return false;
  return isJsonObject(conditions.options) && conditions.options.caseSensitive === false;
}

function newConditions(work: NodeWork, conditions: JsonObject): string[] {
  const anyCase = ignoresCase(conditions) || work.at("options", "ignoreCase") === true;
  const list = Array.isArray(conditions.conditions) ? conditions.conditions.filter(isJsonObject) : [];
  return list.map(({ leftValue, rightValue, operator }) => {
    const { operation = "equals", type = "string" } = isJsonObject(operator)
      ? operator
      : { operation: String(operator ?? "equals") };
    return comparison(work, leftValue, rightValue, String(operation), String(type), anyCase);
  });
}

const oldTypes = ["string", "number", "boolean", "dateTime"] as const;
/** What n8n leaves out of its files. */
const usualValues = { string: "", number: 0, boolean: false, dateTime: "" };

function oldConditions(work: NodeWork, conditions: JsonObject): string[] {
  const anyCase = ignoresCase(conditions);
  return oldTypes.flatMap((type) => {
    const list = conditions[type];
    const usual = type === "number" ? "smaller" : type === "dateTime" ? "after" : "equal";
    return (Array.isArray(list) ? list.filter(isJsonObject) : []).map(({ value1, value2, operation }) =>
      comparison(
        work,
        value1 ?? usualValues[type],
        value2 ?? usualValues[type],
        typeof operation === "string" ? operation : usual,
        type,
        anyCase,
      ),
    );
  });
}

/** The conditions as a template for a condition field; noted where they cannot be translated. */
export function conditionTemplate(
  work: NodeWork,
  conditions: Json | undefined,
  combine: string,
): { condition: string; problem?: string } {
  const made = attempt(() => piece("bool", conditionOf(work, conditions, combine)));
  if (made.ok) return { condition: `{{${asCondition(made.cel)}}}` };
  return { condition: "{{false}}", problem: made.reason };
}

/** A condition gives true or false, also where something is missing. */
export function asCondition(cel: string): string {
  return cel.startsWith("maybe(") ? `truthy(${cel})` : cel;
}
