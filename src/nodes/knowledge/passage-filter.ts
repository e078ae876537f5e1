import { RunError } from "../../engine/errors.ts";
import type { Json } from "../../engine/json.ts";
import { checkFilter, type KnowledgeField } from "../../engine/knowledge/filter/check-filter.ts";
import { allOf, type ComparedValue, type Condition, conditionText } from "../../engine/knowledge/filter/condition.ts";
import { parseFilter } from "../../engine/knowledge/filter/parse-filter.ts";

/** A filter as a setting has it: its text, or with what templates insert as values beside it. */
export type WrittenFilter = string | { sql: string; parameters: readonly Json[] };

/** A filter of names and values, as metadata are stored: places are numbers, names are text. Empty values are ignored. */
export function storedFilter(filter: Record<string, string>): Condition | undefined {
  return allOf(
    Object.entries(filter).flatMap(([field, text]): Condition[] => {
      const value = text.trim();
      return value === "" ? [] : [{ is: "=", field, value: storedValue(field, value) }];
    }),
  );
}

function storedValue(field: string, text: string): ComparedValue {
  return field !== "document" && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/**
 * A written filter, checked against the fields of the collection; any field will do where it has no documents yet. Throws a
 * RunError of code `invalid_config` that says what is wrong with it.
 */
export async function readFilter(
  written: WrittenFilter,
  fields: () => Promise<readonly KnowledgeField[] | null>,
): Promise<Condition | undefined> {
  const { sql, parameters } = typeof written === "string" ? { sql: written, parameters: [] } : written;
  const read = parseFilter(sql, parameters);
  if (!read.ok) throw refused(read);
  if (read.condition === undefined) return undefined;
  const known = await fields();
  if (known === null) return read.condition;
  const checked = checkFilter(read.condition, known);
  if (!checked.ok) throw refused(checked);
  return checked.condition;
}

/** What a filter asks for, `document = "handbook.md" and page = 3`; empty where it asks for nothing. */
export function filterText(filter: Condition | undefined): string {
  return filter === undefined ? "" : conditionText(filter);
}

function refused({ message, hint }: { message: string; hint: string }): RunError {
  return new RunError({ code: "invalid_config", message, hint });
}
