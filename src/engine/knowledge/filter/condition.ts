import type { Json, JsonObject } from "../../json.ts";

/** How a field is compared. `starts with` is for texts, the orders are for texts and numbers. */
export type Comparison = "=" | "<" | "<=" | ">" | ">=" | "starts with";

/** What a field is compared with. */
export type ComparedValue = string | number | boolean;

/** Of one field. It holds where the field has such a value, or a list with one; a value of another type is none. */
export interface FieldCondition {
  is: Comparison;
  field: string;
  value: ComparedValue;
}

/** Which passages are meant. Everything either holds or does not: `not` holds as well where a field is missing. */
export type Condition =
  | FieldCondition
  | { is: "and"; of: readonly Condition[] }
  | { is: "or"; of: readonly Condition[] }
  | { is: "not"; of: Condition };

/** All of these at once; undefined where there are none. */
export function allOf(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length > 1 ? { is: "and", of: given } : given[0];
}

/** What has to hold at once. */
export function partsOf(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  return condition.is === "and" ? condition.of.flatMap(partsOf) : [condition];
}

/** The fields that a condition names. */
export function fieldsIn(condition: Condition): string[] {
  if (condition.is === "and" || condition.is === "or") return condition.of.flatMap(fieldsIn);
  return condition.is === "not" ? fieldsIn(condition.of) : [condition.field];
}

/** Whether it holds for these values; the database decides as this does. */
export function holds(condition: Condition, values: JsonObject): boolean {
  switch (condition.is) {
    case "and":
      return condition.of.every((part) => holds(part, values));
    case "or":
      return condition.of.some((part) => holds(part, values));
    case "not":
      return !holds(condition.of, values);
    default: {
      const { field } = condition;
      const value = Object.hasOwn(values, field) ? values[field] : undefined;
      const each = Array.isArray(value) ? value : value === undefined ? [] : [value];
      return each.some((one) => compares(condition, one));
    }
  }
}

function compares({ is, value }: FieldCondition, found: Json): boolean {
  if (typeof found !== typeof value) return false;
  if (is === "starts with") return typeof found === "string" && found.startsWith(String(value));
  if (is === "=") return found === value;
  const order = orderOf(found, value);
  if (order === undefined) return false;
  switch (is) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    default:
      return is satisfies never;
  }
}

/** Texts by code point, as in the database. */
function orderOf(a: Json, b: ComparedValue): number | undefined {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== "string" || typeof b !== "string") return undefined;
  const others = [...b];
  let at = 0;
  for (const character of a) {
    const other = others[at];
    if (other === undefined) return 1;
    if (character !== other) return (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    at += 1;
  }
  return at - others.length;
}

/** A condition as it is written: `team = "sales" and year >= 2025`. */
export function conditionText(condition: Condition): string {
  switch (condition.is) {
    case "and":
    case "or":
      return condition.of
        .map((part) => (isList(part) ? `(${conditionText(part)})` : conditionText(part)))
        .join(` ${condition.is} `);
    case "not": {
      const { of } = condition;
      if (of.is === "=") return `${of.field} != ${JSON.stringify(of.value)}`;
      return `not (${conditionText(of)})`;
    }
    default:
      return `${condition.field} ${condition.is} ${JSON.stringify(condition.value)}`;
  }
}

const isList = ({ is }: Condition) => is === "and" || is === "or";
