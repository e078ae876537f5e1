import { z } from "zod/mini";
import type { JsonObject } from "../json.ts";
import { describeFields, type FieldDescription } from "./describe-fields.ts";
import { isBlank, isVisible, valueOf, withImplied } from "./field-values.ts";

/** What is wrong with one field, as a sentence for the user. */
export interface ConfigProblem {
  field: string;
  message: string;
}

/** A config with its defaults filled in, or every problem of it. */
export type ParsedConfig<Schema extends z.ZodMiniObject> =
  | { ok: true; config: z.infer<Schema> }
  | { ok: false; problems: ConfigProblem[] };

/**
 * Parses a raw config: defaults filled in, values checked. Keys that the schema lacks stay in the stored document and
 * are left out here. Never throws; every problem names its field by label.
 */
export function parseConfig<Schema extends z.ZodMiniObject>(schema: Schema, given: JsonObject): ParsedConfig<Schema> {
  const fields = describeFields(schema);
  const raw = withImplied(fields, given);
  const result = schema.safeParse(raw);
  const missing = fields.filter(
    (field) => field.required && isVisible(field, fields, raw) && isBlank(valueOf(field, raw)),
  );
  if (result.success && missing.length === 0) return { ok: true, config: result.data };
  const problems: ConfigProblem[] = missing.map((field) => ({
    field: field.name,
    message: `${field.label} is required.`,
  }));
  const named = new Set(problems.map((problem) => problem.field));
  for (const issue of result.error?.issues ?? []) {
    const name = String(issue.path[0] ?? "");
    if (named.has(name)) continue;
    named.add(name);
    problems.push({
      field: name,
      message: issueText(
        issue,
        fields.find((field) => field.name === name),
        raw,
      ),
    });
  }
  return { ok: false, problems };
}

/** What is wrong with the value of one field, or undefined; for fields checked one by one. */
export function fieldProblem(schema: z.ZodMiniObject, field: FieldDescription, raw: JsonObject): string | undefined {
  const type = schema.shape[field.name];
  if (type === undefined) return undefined;
  const value = valueOf(field, raw);
  if (field.required && isBlank(value)) return `${field.label} is required.`;
  const result = z.safeParse(type, raw[field.name]);
  const issue = result.error?.issues[0];
  return issue && issueText({ ...issue, path: [field.name, ...issue.path] }, field, raw);
}

const typeWords: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "on or off",
  array: "a list",
  object: "an object",
  record: "an object",
};

const units: Readonly<Record<string, string>> = { string: " characters", array: " items" };

/** A zod issue in words. The author's own messages stay; zod's default ones are replaced. */
function issueText(issue: z.core.$ZodIssue, field: FieldDescription | undefined, raw: JsonObject): string {
  const inside = issue.path.slice(1).join(".");
  const label = `${field?.label ?? "The config"}${inside === "" ? "" : ` (${inside})`}`;
  switch (issue.code) {
    case "invalid_type": {
      if (issue.path.length === 1 && raw[String(issue.path[0])] === undefined) return `${label} is required.`;
      return `${label} must be ${typeWords[issue.expected] ?? issue.expected}.`;
    }
    case "too_small":
      return `${label} must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}${units[issue.origin] ?? ""}.`;
    case "too_big":
      return `${label} must be ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}${units[issue.origin] ?? ""}.`;
    case "invalid_value":
      return `${label} must be one of: ${issue.values.map(String).join(", ")}.`;
    case "not_multiple_of":
      return `${label} must be a multiple of ${issue.divisor}.`;
    case "unrecognized_keys":
      return `${label} has unknown entries: ${issue.keys.join(", ")}.`;
    case "invalid_format":
      return issue.message.startsWith("Invalid ") ? `${label} is not well formed.` : issue.message;
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return issue.message.startsWith("Invalid ") ? `${label} has a value that does not fit.` : issue.message;
  }
}
