import { schemaCheck } from "../../engine/json-schema/schema-check.ts";
import { isJsonObject, type JsonObject, type JsonSchema } from "../../engine/json.ts";

/** What is sent of a form: fields that were left empty are left out, so that empty never stands for an answer. */
export function filledIn(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

/** What is wrong with the values of a form, by field name. */
export function answerProblems(schema: JsonSchema, values: JsonObject): Readonly<Record<string, string>> {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const filled = filledIn(values);
  const problems: Record<string, string> = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = filled[name];
    if (value === undefined) {
      if (required.includes(name)) problems[name] = "Fill this in.";
      continue;
    }
    const checked = isJsonObject(property) ? schemaCheck(property)(value) : { ok: true as const };
    if (!checked.ok) problems[name] = checked.reason;
  }
  return problems;
}
