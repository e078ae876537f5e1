import { comparisons, compileScalar, operatorOf, type FragmentScope } from "./compile-scalar.ts";
import { compare, nullTest, type Scalar } from "./compare.ts";
import { constantPredicate, isAlwaysTrue, isNeverTrue, type Predicate, type Triviality } from "./predicate.ts";
import { Rejection } from "./rejection.ts";
import { joinSql, type Sql } from "./sql-text.ts";
import { type Fields, isSyntaxNode, listOf, maxTreeDepth, notAllowed, onlyFields, openNode } from "./syntax-node.ts";

const booleanTests: Readonly<Record<string, { words: string; opposite: string }>> = {
  IS_TRUE: { words: "is true", opposite: "is not true" },
  IS_NOT_TRUE: { words: "is not true", opposite: "is true" },
  IS_FALSE: { words: "is false", opposite: "is not false" },
  IS_NOT_FALSE: { words: "is not false", opposite: "is false" },
  IS_UNKNOWN: { words: "is unknown", opposite: "is not unknown" },
  IS_NOT_UNKNOWN: { words: "is not unknown", opposite: "is unknown" },
};

/** Writes what says true or false in a fragment anew from the parser's tree. See `compileScalar` for what that means. */
export function compileLogic(node: unknown, outer: FragmentScope): Predicate {
  const scope = { ...outer, depth: outer.depth + 1 };
  if (scope.depth > maxTreeDepth)
    throw new Rejection("The condition is nested too deeply.", "Write it with fewer levels.");
  const { kind, fields } = openNode(node);
  switch (kind) {
    case "BoolExpr":
      return booleans(fields, scope);
    case "NullTest":
      onlyFields("This test for null", fields, ["arg", "nulltesttype"]);
      return nullTest(compileScalar(fields["arg"], scope), fields["nulltesttype"] === "IS_NULL");
    case "BooleanTest":
      return booleanTest(fields, scope);
    case "A_Const":
      if (fields["isnull"] === true) return constantPredicate(null);
      if ("boolval" in fields)
        return constantPredicate(isSyntaxNode(fields["boolval"]) && fields["boolval"]["boolval"] === true);
      return bare(compileScalar(node, scope));
    case "A_Expr":
      return expression(fields, scope) ?? bare(compileScalar(node, scope));
    default:
      return bare(compileScalar(node, scope));
  }
}

function booleans(fields: Fields, scope: FragmentScope): Predicate {
  onlyFields("This condition", fields, ["boolop", "args"]);
  const parts = listOf(fields["args"]).map((part) => compileLogic(part, scope));
  switch (fields["boolop"]) {
    case "AND_EXPR":
      return { kind: "and", parts };
    case "OR_EXPR":
      return { kind: "or", parts };
    case "NOT_EXPR": {
      const [part] = parts;
      if (part !== undefined) return { kind: "not", part };
    }
  }
  throw notAllowed("This condition");
}

function booleanTest(fields: Fields, scope: FragmentScope): Predicate {
  onlyFields("This test", fields, ["arg", "booltesttype"]);
  const test = booleanTests[String(fields["booltesttype"])];
  if (test === undefined) throw notAllowed("This test");
  const inner = compileLogic(fields["arg"], scope);
  const value = compileScalar(fields["arg"], scope);
  const key = (words: string): string => JSON.stringify([value.sql, words]);
  return {
    kind: "leaf",
    sql: [...value.sql, ` ${test.words}`],
    trivial: testTriviality(test.words, inner, value),
    key: key(test.words),
    opposite: key(test.opposite),
  };
}

function testTriviality(words: string, inner: Predicate, value: Scalar): Triviality {
  if (!value.usesColumn) return "either";
  const wantsTrue = words === "is true" || words === "is not false";
  const wantsFalse = words === "is false" || words === "is not true";
  if ((wantsTrue && isAlwaysTrue(inner)) || (wantsFalse && isNeverTrue(inner))) return "always";
  if ((wantsTrue && isNeverTrue(inner)) || (wantsFalse && isAlwaysTrue(inner))) return "never";
  return "depends";
}

/** A column or a function that is itself true or false. */
function bare(value: Scalar): Predicate {
  return {
    kind: "leaf",
    sql: value.sql,
    trivial: value.usesColumn ? "depends" : "either",
    key: JSON.stringify(value.sql),
  };
}

/** A comparison; undefined for an expression that gives a value. */
function expression(fields: Fields, scope: FragmentScope): Predicate | undefined {
  onlyFields("This expression", fields, ["kind", "name", "lexpr", "rexpr"]);
  const left = (): Scalar => compileScalar(fields["lexpr"], scope);
  switch (fields["kind"]) {
    case "AEXPR_OP": {
      const operator = operatorOf(fields);
      if (!comparisons.has(operator) || fields["lexpr"] === undefined) return undefined;
      return compareWith(left(), operator, compileScalar(fields["rexpr"], scope));
    }
    case "AEXPR_DISTINCT":
      return compareWith(left(), "is distinct from", compileScalar(fields["rexpr"], scope));
    case "AEXPR_NOT_DISTINCT":
      return compareWith(left(), "is not distinct from", compileScalar(fields["rexpr"], scope));
    case "AEXPR_LIKE":
      return compareWith(
        left(),
        operatorOf(fields) === "!~~" ? "not like" : "like",
        compileScalar(fields["rexpr"], scope),
      );
    case "AEXPR_ILIKE":
      return compareWith(
        left(),
        operatorOf(fields) === "!~~*" ? "not ilike" : "ilike",
        compileScalar(fields["rexpr"], scope),
      );
    case "AEXPR_IN": {
      const values = items(fields["rexpr"], scope);
      return compare(left(), operatorOf(fields) === "<>" ? "not in" : "in", values, ["(", ...commas(values), ")"]);
    }
    case "AEXPR_BETWEEN":
    case "AEXPR_NOT_BETWEEN": {
      const [low, high] = items(fields["rexpr"], scope);
      if (low === undefined || high === undefined) throw notAllowed("This use of BETWEEN");
      const operator = fields["kind"] === "AEXPR_BETWEEN" ? "between" : "not between";
      return compare(left(), operator, [low, high], [...low.sql, " and ", ...high.sql]);
    }
    case "AEXPR_OP_ANY":
    case "AEXPR_OP_ALL": {
      const operator = operatorOf(fields);
      const right = compileScalar(fields["rexpr"], scope);
      const word = fields["kind"] === "AEXPR_OP_ANY" ? "any" : "all";
      return compare(left(), operator, [right], [`${word}(`, ...right.sql, ")"]);
    }
    case "AEXPR_NULLIF":
      return undefined;
    default:
      throw notAllowed("This kind of comparison");
  }
}

function compareWith(left: Scalar, operator: string, right: Scalar): Predicate {
  return compare(left, operator, [right], right.sql);
}

function items(node: unknown, scope: FragmentScope): Scalar[] {
  const { kind, fields } = openNode(node);
  if (kind !== "List") throw notAllowed("This list");
  return listOf(fields["items"]).map((item) => compileScalar(item, scope));
}

function commas(values: readonly Scalar[]): Sql {
  return joinSql(
    values.map(({ sql }) => sql),
    ", ",
  );
}
