import type { FieldDescription } from "../engine/config/describe-fields.ts";
import { isVisible } from "../engine/config/field-values.ts";
import type { JsonObject } from "../engine/json.ts";

interface FormSection {
  /** Absent for the first section. */
  title?: string;
  fields: readonly FieldDescription[];
}

/** The fields that show for a config, in sections by their order of appearance; fields without one come first. */
export function formSections(fields: readonly FieldDescription[], config: JsonObject): FormSection[] {
  const visible = fields.filter((field) => field.hidden !== true && isVisible(field, fields, config));
  const general = visible.filter((field) => field.section === undefined);
  const titles = new Set(visible.flatMap((field) => field.section ?? []));
  const titled = [...titles].map((title) => ({ title, fields: visible.filter((field) => field.section === title) }));
  return general.length === 0 ? titled : [{ fields: general }, ...titled];
}
