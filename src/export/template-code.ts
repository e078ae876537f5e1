import { isJsonObject, type Json, type JsonObject } from "../engine/json.ts";
import { endsInsideJsonText } from "../engine/template/encode.ts";
import { hasTemplate, splitTemplate } from "../engine/template/split-template.ts";
import { expressionCode, type ExpressionPlace } from "./expression-code.ts";

/** Where a text with expressions stands: what is inserted is encoded for it. */
type Kind = "text" | "url" | "json";

/** The TypeScript of a text with expressions: always a string. */
export function textCode(source: string, place: ExpressionPlace, kind: Kind = "text"): string {
  const parts = parted(source);
  if (parts === undefined || !hasTemplate(source)) return JSON.stringify(source);
  const isJson = kind === "json" && /^\s*["[{]/.test(source);
  let inside = false;
  const written = parts.map((part, index) => {
    if (part.kind === "text") {
      inside = endsInsideJsonText(part.text, inside);
      return literal(part.text);
    }
    const value = expressionCode(part.source, place);
    const text = `${place.file.helper("text")}(${value})`;
    if (kind === "url" && index > 0) return `\${encodeURIComponent(${text})}`;
    if (!isJson) return `\${${text}}`;
    return inside ? `\${JSON.stringify(${text}).slice(1, -1)}` : `\${JSON.stringify(${value} ?? null)}`;
  });
  return `\`${written.join("")}\``;
}

/** The TypeScript of a value with expressions: a text that is one expression keeps the type of its value. */
export function valueCode(value: Json, place: ExpressionPlace): string {
  if (typeof value === "string") {
    const [only, ...more] = parted(value) ?? [];
    if (only?.kind === "expression" && more.length === 0) return expressionCode(only.source, place);
    return textCode(value, place);
  }
  if (Array.isArray(value)) return `[${value.map((one) => valueCode(one, place)).join(", ")}]`;
  if (isJsonObject(value)) return recordCode(value, (one) => valueCode(one, place));
  return JSON.stringify(value);
}

/** An object of texts with expressions. */
export function textsCode(texts: JsonObject, place: ExpressionPlace): string {
  return recordCode(texts, (one) => textCode(typeof one === "string" ? one : JSON.stringify(one), place));
}

function recordCode(record: JsonObject, write: (value: Json) => string): string {
  const fields = Object.entries(record).map(([name, value]) => `${keyCode(name)}: ${write(value)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** The name of a field as an object literal has it. */
export function keyCode(name: string): string {
  // As a plain key it would set the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function parted(source: string) {
  try {
    return splitTemplate(source);
  } catch {
    return undefined;
  }
}

function literal(text: string): string {
  return text.replace(/[\\`]|\$\{/g, (sign) => `\\${sign}`).replaceAll("\r", "\\r");
}
