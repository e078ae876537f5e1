import type { Comparison, Condition } from "../../../src/nodes/tools/postgres/condition.ts";
import { conditionLimits } from "../../../src/nodes/tools/postgres/condition.ts";
import { compare, nullTest, type Scalar } from "./compare.ts";
import type { Predicate } from "./predicate.ts";
import { Rejection } from "./rejection.ts";
import { joinSql, quoteIdentifier } from "./sql-text.ts";
import type { Json } from "../../../src/engine/json.ts";

/** Turns a structured condition into SQL: names quoted, values bound. A list means that every part must hold. */
export function compileCondition(condition: Condition | readonly Condition[]): Predicate {
  const budget = { comparisons: conditionLimits.comparisons };
  if (!isList(condition)) return compilePart(condition, 0, budget);
  return { kind: "and", parts: condition.map((part) => compilePart(part, 1, budget)) };
}

function compilePart(condition: Condition, depth: number, budget: { comparisons: number }): Predicate {
  if (depth > conditionLimits.depth) {
    throw new Rejection("The condition is nested too deeply.", `Use at most ${conditionLimits.depth} levels.`);
  }
  if ("all" in condition) {
    return { kind: "and", parts: condition.all.map((part) => compilePart(part, depth + 1, budget)) };
  }
  if ("any" in condition) {
    return { kind: "or", parts: condition.any.map((part) => compilePart(part, depth + 1, budget)) };
  }
  budget.comparisons -= 1;
  if (budget.comparisons < 0) {
    const suggestion = `Use at most ${conditionLimits.comparisons} comparisons, or one with "in" and a list.`;
    throw new Rejection("The condition has too many comparisons.", suggestion);
  }
  return compileComparison(condition);
}

function compileComparison({ column, operator, value }: Comparison): Predicate {
  const left: Scalar = { sql: [quoteIdentifier(column)], usesColumn: true };
  switch (operator) {
    case "is null":
    case "is not null":
      return nullTest(left, operator === "is null");
    case "in":
    case "not in": {
      if (!Array.isArray(value) || value.length > conditionLimits.listValues)
        throw wrongValue(operator, `a list of at most ${conditionLimits.listValues} values`);
      if (value.length === 0) return inNothing(left, operator);
      const values = value.map(bound);
      return compare(left, operator, values, [
        "(",
        ...joinSql(
          values.map(({ sql }) => sql),
          ", ",
        ),
        ")",
      ]);
    }
    case "between": {
      const [low, high, ...more] = Array.isArray(value) ? value.map(bound) : [];
      if (low === undefined || high === undefined || more.length > 0)
        throw wrongValue(operator, "a list of two values");
      return compare(left, operator, [low, high], [...low.sql, " and ", ...high.sql]);
    }
    default: {
      if (value === undefined) throw wrongValue(operator, "a value");
      if (value === null) {
        throw new Rejection(
          `Nothing is ever ${operator} null.`,
          'Use the operator "is null" or "is not null", without a value.',
          "syntax_error",
        );
      }
      const right = bound(value);
      return compare(left, operator, [right], right.sql);
    }
  }
}

/** Nothing is in an empty list. The column stands there for the database to know it. */
function inNothing({ sql }: Scalar, operator: "in" | "not in"): Predicate {
  const holds = operator === "not in";
  const whole = ["(", ...sql, holds ? " is null or true)" : " is null and false)"];
  return { kind: "leaf", sql: whole, trivial: holds ? "always" : "never", key: JSON.stringify(whole) };
}

function bound(value: Json): Scalar {
  return { sql: [{ bind: value }], usesColumn: false };
}

function wrongValue(operator: string, wanted: string): Rejection {
  return new Rejection(`The operator "${operator}" needs ${wanted}.`, "Correct the condition's value.", "syntax_error");
}

function isList(condition: Condition | readonly Condition[]): condition is readonly Condition[] {
  return Array.isArray(condition);
}
