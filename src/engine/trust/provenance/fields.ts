import { isJsonObject, type Json } from "../../json.ts";
import { momentOf } from "./moments.ts";

/** Members in which people write what they like. */
const freeText =
  /title|subject|body|content|text|desc|summary|message|note|comment|snippet|preview|caption|review|reason|remark|memo|html|markdown/i;
const maxFieldLength = 100;
const maxWords = 6;

/** The short fields of a result: numbers, dates, names, addresses, ids. A bare text counts only where it is a moment. */
export function fieldsIn(value: Json): (string | number)[] {
  if (typeof value === "string") return momentOf(value) ? [value] : [];
  const found: (string | number)[] = [];
  addFields(value, found);
  return found;
}

function addFields(value: Json, found: (string | number)[]): void {
  if (typeof value === "number" || (typeof value === "string" && isField(value))) found.push(value);
  else if (Array.isArray(value)) for (const item of value) addFields(item, found);
  else if (isJsonObject(value))
    for (const [name, member] of Object.entries(value)) if (!freeText.test(name)) addFields(member, found);
}

function isField(text: string): boolean {
  return text !== "" && text.length <= maxFieldLength && !/[\n\r]/.test(text) && text.split(/\s+/u).length <= maxWords;
}
