import { isJsonObject, type Json } from "../../engine/json.ts";

/** One comparison while it is written; without a column it is not stored. */
export interface ComparisonDraft {
  kind: "comparison";
  column: string;
  operator: string;
  value?: Json;
}

/** Conditions that must all hold, or of which one is enough. */
export interface GroupDraft {
  kind: "group";
  mode: "all" | "any";
  parts: ConditionDraft[];
}

export type ConditionDraft = ComparisonDraft | GroupDraft;

const noConditions: GroupDraft = { kind: "group", mode: "all", parts: [] };

function draftOf(stored: Json): ConditionDraft | null {
  if (!isJsonObject(stored)) return null;
  const { all, any, column, operator, value, ...rest } = stored;
  if (Object.keys(rest).length > 0) return null;
  if (typeof column === "string" && typeof operator === "string" && all === undefined && any === undefined) {
    return { kind: "comparison", column, operator, ...(value === undefined ? {} : { value }) };
  }
  if (column !== undefined || operator !== undefined || value !== undefined) return null;
  if (all !== undefined && any !== undefined) return null;
  return groupOf(any === undefined ? "all" : "any", any ?? all);
}

function groupOf(mode: "all" | "any", stored: Json | undefined): GroupDraft | null {
  if (!Array.isArray(stored)) return null;
  const parts = stored.map(draftOf);
  return parts.every((part) => part !== null) ? { kind: "group", mode, parts } : null;
}

/** Stored conditions as rows and groups; null for what rows cannot show, which is edited as text. */
export function conditionsFrom(stored: Json | undefined): GroupDraft | null {
  if (stored === undefined || stored === null || stored === "") return noConditions;
  if (Array.isArray(stored)) return groupOf("all", stored);
  const draft = draftOf(stored);
  return draft?.kind === "comparison" ? { ...noConditions, parts: [draft] } : draft;
}

function storedPart(draft: ConditionDraft): Json[] {
  if (draft.kind === "group") {
    const parts = draft.parts.flatMap(storedPart);
    return parts.length === 0 ? [] : [{ [draft.mode]: parts }];
  }
  const { column, operator, value } = draft;
  if (column.trim() === "") return [];
  return [{ column: column.trim(), operator, ...(value === undefined ? {} : { value }) }];
}

/** Rows and groups as they are stored: a list where all must hold, else a group. Rows without a column are left out. */
export function conditionsTo(group: GroupDraft): Json {
  const parts = group.parts.flatMap(storedPart);
  return group.mode === "all" || parts.length === 0 ? parts : { any: parts };
}

/** How many values an operator takes. */
export function valuesOf(operator: string): "none" | "one" | "two" | "list" {
  switch (operator) {
    case "is null":
    case "is not null":
      return "none";
    case "between":
      return "two";
    case "in":
    case "not in":
      return "list";
    default:
      return "one";
  }
}

/** A value as the text of an input. */
export function valueText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What is typed as the values of a list; one template alone may give the whole list. */
export function listFrom(text: string): Json {
  if (/^\s*\{\{(?:(?!\}\}).)*\}\}\s*$/s.test(text)) return text.trim();
  // A comma within a template belongs to it.
  const parts = text.match(/(?:\{\{(?:(?!\}\}).)*\}\}|[^,])+/gs) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The value that fits an operator when another was chosen: kept where it can be, else dropped. */
export function valueFor(operator: string, value: Json | undefined): Json | undefined {
  switch (valuesOf(operator)) {
    case "none":
      return undefined;
    case "one":
      return Array.isArray(value) ? (value[0] ?? "") : (value ?? "");
    case "two": {
      const [low = "", high = ""] = Array.isArray(value) ? value : [value ?? ""];
      return [low, high];
    }
    case "list":
      return Array.isArray(value)
        ? value.filter((one) => one !== "")
        : value === undefined
          ? []
          : listFrom(valueText(value));
  }
}
