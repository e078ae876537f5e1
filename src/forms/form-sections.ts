import type { FieldDescription } from "../engine/config/describe-fields.ts";
import { isVisible } from "../engine/config/parse-config.ts";
import type { JsonObject } from "../engine/json.ts";

export interface FormSection {
  /** Absent for the first section. */
  title?: string;
  fields: readonly FieldDescription[];
}

/** The fields that show for a config, in sections by their order of appearance; fields without one come first. */
export function formSections(fields: readonly FieldDescription[], config: JsonObject): FormSection[] {
  const visible = fields.filter((field) => isVisible(field, fields, config));
  const titles = [...new Set(visible.map((field) => field.section))];
  return titles
    .toSorted((a, b) => Number(a !== undefined) - Number(b !== undefined))
    .map((title) => ({ title, fields: visible.filter((field) => field.section === title) }));
}
