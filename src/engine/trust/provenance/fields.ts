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
  return inside(value);
}

function inside(value: Json): (string | number)[] {
  if (typeof value === "number") return [value];
  if (typeof value === "string") return isField(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(inside);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => (freeText.test(name) ? [] : inside(member)));
}

function isField(text: string): boolean {
  return text !== "" && text.length <= maxFieldLength && !/[\n\r]/.test(text) && text.split(/\s+/u).length <= maxWords;
}
