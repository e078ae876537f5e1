import type { FunctionTable } from "./function-table.ts";
import {
  exactNumberOf,
  isNothing,
  listOf,
  numberOf,
  textOf,
  unfit,
  type Value,
  wholeOf,
  writtenText,
} from "./values.ts";
import { isLargeInteger } from "../../lossless-json.ts";

/** Rounded half away from zero towards plus, as JavaScript does, to a number of places. */
function rounded(value: Value, places: Value, round: (number: number) => number): number {
  const number = numberOf(value);
  const digits = Math.min(15, Math.max(0, wholeOf(places, 0)));
  if (digits === 0) return round(number);
  const factor = 10 ** digits;
  return round((number + Number.EPSILON) * factor) / factor;
}

/** The outermost of the arguments, or of the one list among them: exactly where large integers are among them. */
function extreme(
  values: readonly Value[],
  isFurther: (one: number | bigint, other: number | bigint) => boolean,
  outermost: (...numbers: number[]) => number,
): number | bigint {
  const [first] = values;
  const listed: readonly Value[] = values.length === 1 && Array.isArray(first) ? first : values;
  const numbers = listed.map((one) => exactNumberOf(one) ?? numberOf(one));
  if (!numbers.some((one) => typeof one === "bigint"))
    return numbers.map(Number).reduce((a, b) => outermost(a, b), outermost());
  return numbers.reduce((furthest, one) => (isFurther(one, furthest) ? one : furthest));
}

function total(list: Value): number {
  return listOf(list).reduce<number>((sum, one) => sum + numberOf(one), 0);
}

export const numberFunctions = {
  number: {
    detail: 'number("12.5") → 12.5; digits that are too large to be exact stay what they are',
    takes: [1, 1],
    gives: "dyn",
    run: (value) => (isLargeInteger(value) ? BigInt(value) : numberOf(value)),
  },
  readNumber: {
    detail: 'readNumber("12.5 kg") → 12.5',
    takes: [1, 1],
    gives: "double",
    run: (value) => parseFloat(writtenText(value)),
  },
  readWhole: {
    detail: 'readWhole("12.5 kg") → 12; readWhole("ff", 16) → 255',
    takes: [1, 2],
    gives: "double",
    run: (value, base) => parseInt(writtenText(value), isNothing(base) ? undefined : wholeOf(base, 10)),
  },
  round: {
    detail: "round(number, places?) → number",
    takes: [1, 2],
    gives: "double",
    run: (value, places) => rounded(value, places, Math.round),
  },
  floor: { detail: "floor(number)", takes: [1, 1], gives: "double", run: (value) => Math.floor(numberOf(value)) },
  ceil: { detail: "ceil(number)", takes: [1, 1], gives: "double", run: (value) => Math.ceil(numberOf(value)) },
  trunc: {
    detail: "trunc(number) → without its fraction",
    takes: [1, 1],
    gives: "double",
    run: (value) => Math.trunc(numberOf(value)),
  },
  sign: {
    detail: "sign(number) → -1, 0 or 1",
    takes: [1, 1],
    gives: "double",
    run: (value) => Math.sign(numberOf(value)),
  },
  abs: { detail: "abs(number)", takes: [1, 1], gives: "double", run: (value) => Math.abs(numberOf(value)) },
  sqrt: { detail: "sqrt(number)", takes: [1, 1], gives: "double", run: (value) => Math.sqrt(numberOf(value)) },
  power: {
    detail: "power(2, 10) → 1024",
    takes: [2, 2],
    gives: "double",
    run: (base, exponent) => numberOf(base) ** numberOf(exponent),
  },
  lowest: {
    detail: "lowest(list) or lowest(a, b) → number",
    takes: [1, 15],
    gives: "dyn",
    run: (...values) => extreme(values, (one, lowest) => one < lowest, Math.min),
  },
  highest: {
    detail: "highest(list) or highest(a, b) → number",
    takes: [1, 15],
    gives: "dyn",
    run: (...values) => extreme(values, (one, highest) => one > highest, Math.max),
  },
  sum: { detail: "sum(list) → number", takes: [1, 1], gives: "double", run: total },
  average: {
    detail: "average(list) → number",
    takes: [1, 1],
    gives: "double",
    run: (list) => total(list) / listOf(list).length,
  },
  fixed: {
    detail: 'fixed(1.5, 2) → "1.50"',
    takes: [1, 2],
    gives: "string",
    run: (value, places) => {
      if (typeof value !== "number") throw unfit("A number is needed here");
      return value.toFixed(Math.min(100, Math.max(0, wholeOf(places, 0))));
    },
  },
  inBase: {
    detail: 'inBase(255, 16) → "ff"',
    takes: [2, 2],
    gives: "string",
    run: (value, base) => numberOf(value).toString(Math.min(36, Math.max(2, wholeOf(base, 10)))),
  },
  withCommas: {
    detail: 'withCommas(1234.5, "en-US") → "1,234.5"',
    takes: [1, 2],
    gives: "string",
    run: (value, language) => {
      try {
        return numberOf(value).toLocaleString(isNothing(language) ? "en-US" : textOf(language));
      } catch {
        throw unfit("There is no such language");
      }
    },
  },
  isNaN: {
    detail: "isNaN(value) → is it no number?",
    takes: [1, 1],
    gives: "bool",
    run: (value) => Number.isNaN(numberOf(value)),
  },
  isWhole: {
    detail: "isWhole(value) → is it a whole number?",
    takes: [1, 1],
    gives: "bool",
    run: (value) => Number.isInteger(value),
  },
} as const satisfies FunctionTable;
