import { firstChars } from "./well-formed.ts";
import { isJsonObject, type Json } from "./json.ts";

/**
 * The beginning of a value as compact JSON (a text as it is), at most `limit` characters and an ellipsis where it goes on.
 * Of a huge value no more is read than is shown.
 */
export function briefJson(value: Json, limit: number): string {
  if (typeof value === "string") return cut(value, limit);
  const pieces: string[] = [];
  write(value, pieces, limit);
  return cut(pieces.join(""), limit);
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${firstChars(text, limit)}…` : text;
}

/** Adds the JSON of a value until there are more than `left` characters; gives how many may still follow. */
function write(value: Json, pieces: string[], left: number): number {
  const put = (text: string) => {
    pieces.push(text);
    left -= text.length;
  };
  const text = (whole: string) =>
    put(JSON.stringify(left < whole.length ? whole.slice(0, Math.max(0, left) + 1) : whole));
  if (typeof value === "string") text(value);
  else if (Array.isArray(value)) {
    put("[");
    for (const [index, each] of value.entries()) {
      if (left < 0) return left;
      if (index > 0) put(",");
      left = write(each, pieces, left);
    }
    put("]");
  } else if (isJsonObject(value)) {
    put("{");
    let first = true;
    for (const key in value) {
      if (left < 0) return left;
      if (!first) put(",");
      first = false;
      text(key);
      put(":");
      left = write(value[key] ?? null, pieces, left);
    }
    put("}");
  } else put(JSON.stringify(value));
  return left;
}
