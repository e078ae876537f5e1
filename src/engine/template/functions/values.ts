import { EvaluationError, Optional } from "@marcbachmann/cel-js";
import { isLargeInteger, jsonInteger, replaceBigInts } from "../../lossless-json.ts";

/** What a function of the expression language is given, once optional values are opened: `undefined` is a missing one. */
export type Value = unknown;

/**
 * Opens what `json.?name` gives; a missing value becomes undefined, a whole number a JavaScript number, or its digits where
 * that would not be exact.
 */
export function opened(value: Value): Value {
  const inner = value instanceof Optional ? (value.hasValue() ? value.value() : undefined) : value;
  return typeof inner === "bigint" ? jsonInteger(inner) : inner;
}

/** What a function throws that is given a value it can do nothing with; `maybe(…)` turns it into null. */
export function unfit(message: string): EvaluationError {
  return new EvaluationError({ code: "invalid_argument", message });
}

/** A word for a value's type, as error messages and `typeName` use it. */
export function typeWord(value: Value): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (value instanceof Date) return "time";
  return typeof value === "string" ? "text" : typeof value;
}

/** The value as a record of own properties, or undefined. */
export function recordOf(value: Value): Record<string, Value> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Date) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = prototype === null || (typeof prototype === "object" && Object.getPrototypeOf(prototype) === null);
  return plain ? { ...value } : undefined;
}

/** The value as a list; throws for anything else. */
export function listOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  throw unfit(`A list is needed here, not ${typeWord(value)}`);
}

/** The value as text where it is text or a number; throws for anything else. */
export function textOf(value: Value): string {
  if (typeof value === "string") return value;
  throw unfit(`Text is needed here, not ${typeWord(value)}`);
}

/** How JavaScript writes a value into a text. */
export function writtenText(value: Value): string {
  const inner = opened(value);
  if (typeof inner === "string") return inner;
  if (inner instanceof Date) return Number.isNaN(inner.getTime()) ? "Invalid DateTime" : inner.toISOString();
  if (Array.isArray(inner)) return inner.map((one) => (isNothing(one) ? "" : writtenText(one))).join(",");
  return typeof inner === "object" && inner !== null ? "[object Object]" : String(inner);
}

/** JavaScript's number of a value: NaN for what is none, 0 for null. */
export function numberOf(value: Value): number {
  const inner = opened(value);
  if (typeof inner === "number") return inner;
  if (inner instanceof Date) return inner.getTime();
  if (inner === null) return 0;
  if (typeof inner === "boolean") return inner ? 1 : 0;
  if (typeof inner === "string") return Number(inner);
  return Array.isArray(inner) ? Number(writtenText(inner)) : NaN;
}

/** The value where it is a number, or the digits of a large integer; undefined for all others. */
export function exactNumberOf(value: Value): number | bigint | undefined {
  const inner = opened(value);
  if (typeof inner === "number") return inner;
  return isLargeInteger(inner) ? BigInt(inner) : undefined;
}

/** How two values compare, below, at or above 0, where at least one of them is a large integer and none is no number. */
export function compareLarge(left: Value, right: Value): number | undefined {
  const a = exactNumberOf(left);
  const b = exactNumberOf(right);
  if (a === undefined || b === undefined || (typeof a === "number" && typeof b === "number")) return undefined;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether JavaScript takes a value for true: not empty, 0, false, null or missing. */
export function isTruthy(value: Value): boolean {
  const inner = opened(value);
  return Boolean(inner) && !(typeof inner === "number" && Number.isNaN(inner));
}

/** Whether a value is null or missing. */
export function isNothing(value: Value): boolean {
  const inner = opened(value);
  return inner === undefined || inner === null;
}

/** An optional whole number, such as a position; `usual` where it is missing. */
export function wholeOf(value: Value, usual: number): number {
  if (isNothing(value)) return usual;
  const number = Math.trunc(numberOf(value));
  return Number.isNaN(number) ? 0 : number;
}

/** Whether two values are the same, deeply. */
export function isSame(left: Value, right: Value): boolean {
  const a = opened(left);
  const b = opened(right);
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return isNothing(a) && isNothing(b);
  if (a instanceof Date || b instanceof Date) return numberOf(a) === numberOf(b);
  return JSON.stringify(a, replaceBigInts) === JSON.stringify(b, replaceBigInts);
}
