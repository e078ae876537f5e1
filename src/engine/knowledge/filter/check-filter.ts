import { nearestName } from "../../template/nearest-name.ts";
import { placeFields } from "../document-metadata.ts";
import type { ComparedValue, Condition, FieldCondition } from "./condition.ts";
import type { FilterFailure } from "./parse-filter.ts";

/** What values of a field are. */
export type FieldType = "text" | "number" | "boolean";

/** A field that documents of a collection have. */
export interface KnowledgeField {
  name: string;
  types: readonly FieldType[];
  /** Some of its values. */
  examples: readonly ComparedValue[];
}

/** The fields of passages in every collection. */
const places: readonly KnowledgeField[] = Object.entries(placeFields).map(([name, type]) => ({
  name,
  types: [type],
  examples: [],
}));

/** What a collection is filtered by. */
export const fieldsOf = (own: readonly KnowledgeField[]): KnowledgeField[] => [...places, ...own];

/**
 * A filter that fits the fields of its collection: a number given as text becomes one where the field has numbers, and the
 * other way round. Otherwise what is wrong with it.
 */
export function checkFilter(
  condition: Condition,
  own: readonly KnowledgeField[],
): { ok: true; condition: Condition } | FilterFailure {
  const fields = new Map(fieldsOf(own).map((field) => [field.name, field]));
  let failure: FilterFailure | undefined;

  function fitted(part: Condition): Condition {
    if (part.is === "and" || part.is === "or") return { is: part.is, of: part.of.map(fitted) };
    if (part.is === "not") return { is: "not", of: fitted(part.of) };
    const field = fields.get(part.field);
    const value = field && fittingValue(part, field);
    if (field && value !== undefined) return { ...part, value };
    failure ??= field ? wrongType(part, field) : unknownField(part.field, [...fields.keys()]);
    return part;
  }

  const checked = fitted(condition);
  return failure ?? { ok: true, condition: checked };
}

function fittingValue({ is, value }: FieldCondition, { types }: KnowledgeField): ComparedValue | undefined {
  if (is === "starts with") return types.includes("text") ? String(value) : undefined;
  if (is !== "=" && typeof value === "boolean") return undefined;
  if (types.includes(typeOf(value))) return value;
  const text = String(value);
  if (types.includes("text")) return text;
  if (types.includes("number") && /^-?\d{1,15}(\.\d{1,10})?$/.test(text)) return Number(text);
  if (types.includes("boolean") && (text === "true" || text === "false") && is === "=") return text === "true";
  return undefined;
}

function typeOf(value: ComparedValue): FieldType {
  return typeof value === "string" ? "text" : typeof value === "number" ? "number" : "boolean";
}

const typeLabels: Record<FieldType, string> = { text: "a text", number: "a number", boolean: "true or false" };

function wrongType({ field, is, value }: FieldCondition, { types }: KnowledgeField): FilterFailure {
  return {
    ok: false,
    message: `"${field}" is ${types.map((type) => typeLabels[type]).join(" or ")}, so ${field} ${is} ${JSON.stringify(value)} never holds.`,
    hint: `Compare "${field}" with ${types.map((type) => typeLabels[type]).join(" or ")}.`,
  };
}

function unknownField(name: string, names: readonly string[]): FilterFailure {
  const nearest = nearestName(name, names);
  const guess = nearest === undefined ? "" : `Did you mean "${nearest}"? `;
  const shown = names.slice(0, 40).join(", ");
  return {
    ok: false,
    message: `No document in the collection has the field "${name}".`,
    hint: `${guess}The fields are ${shown}${names.length > 40 ? " and more" : ""}.`,
  };
}
