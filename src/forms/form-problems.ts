import { describeFields, type FieldDescription } from "../engine/config/describe-fields.ts";
import { parseConfig } from "../engine/config/parse-config.ts";
import { isVisible } from "../engine/config/field-values.ts";
import type { JsonObject } from "../engine/json.ts";
import type { z } from "zod/mini";

/** Whether a field holds a template, so that its value is only known when it runs. */
function holdsTemplate(field: FieldDescription, config: JsonObject): boolean {
  const value = config[field.name];
  return field.template !== undefined && typeof value === "string" && value.includes("{{");
}

/** What is wrong with the config, by field name. Hidden fields and templates are left to the run. */
export function formProblems(schema: z.ZodMiniObject, config: JsonObject): Readonly<Record<string, string>> {
  const parsed = parseConfig(schema, config);
  if (parsed.ok) return {};
  const fields = describeFields(schema);
  const problems: Record<string, string> = {};
  for (const { field: name, message } of parsed.problems) {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined || !isVisible(field, fields, config) || holdsTemplate(field, config)) continue;
    problems[name] ??= message;
  }
  return problems;
}
