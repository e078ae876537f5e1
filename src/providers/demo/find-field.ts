import type { Json, JsonSchema } from "../../engine/json.ts";

/** Kinds of details that simple patterns find in a text, by words in the name of the field that asks for them. */
const patterns: readonly (readonly [name: RegExp, pattern: RegExp])[] = [
  [/e-?mail/i, /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/],
  [/url|link|website/i, /https?:\/\/[^\s<>"')\]]+/i],
  [/date|day|when/i, /\b\d{4}-\d{2}-\d{2}\b/],
];

/** A number with decimals is more likely an amount than a part of a date or an order number. */
const amounts = [/(?<![\d-])\d+\.\d+(?!\d)/, /(?<![\d-])\d+(?![\d-])/];

/** What a text says for the field `name` of a JSON Schema, as far as simple patterns tell; undefined otherwise. */
export function findField(name: string, schema: JsonSchema, text: string): Json | undefined {
  const { type } = schema;
  if (schema["enum"] !== undefined || schema["const"] !== undefined) return undefined;
  if (type === "number" && /amount|total|price|sum|cost/i.test(name)) {
    const found = amounts.map((pattern) => pattern.exec(text)?.[0]).find((match) => match !== undefined);
    return found === undefined ? undefined : Number(found);
  }
  if (type !== "string") return undefined;
  const pattern = patterns.find(([named]) => named.test(name))?.[1];
  return pattern?.exec(text)?.[0];
}
