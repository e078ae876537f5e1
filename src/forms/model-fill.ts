import type { FieldDescription } from "../engine/config/describe-fields.ts";
import type { Json } from "../engine/json.ts";
import type { AiType } from "../engine/template/ai-call.ts";

/** What the model is asked for in a field, or undefined where it cannot give all of it. */
function typeOf({ control, template, integer }: FieldDescription): AiType | undefined {
  switch (control) {
    case "text":
    case "textarea":
      return "string";
    case "number":
      return integer ? "integer" : "number";
    case "json":
    case "conditions":
      return "json";
    // In a place of texts each entry stands for itself.
    case "string-list":
      return template === "value" ? "array" : undefined;
    case "key-values":
      return template === "value" ? "object" : undefined;
    default:
      return undefined;
  }
}

/** The template that leaves all of a field to the model; undefined for a field that takes none. */
export function modelFill(field: FieldDescription): string | undefined {
  const type = field.ai && field.template !== undefined ? typeOf(field) : undefined;
  if (type === undefined) return undefined;
  const words = [field.name, field.label, type].map((word) => JSON.stringify(word));
  return `{{ai(${words.join(", ")})}}`;
}

/** Whether a field's value leaves a part of it to the model. */
export function isFilledByModel(value: Json | undefined): boolean {
  return typeof value === "string" && /\{\{[^{}]*\bai\s*\(/.test(value);
}
