import { isJsonObject, type Json, parseJson } from "../json.ts";
import { firstChars } from "../well-formed.ts";

/** How a text is kept as a file. */
export interface TextFile {
  text: string;
  extension: "json" | "csv" | "txt";
  mediaType: string;
  /** What it is made of, in a few words: kinds, keys and counts. */
  shape: string;
}

/** Keys or columns that are named, and characters of each. */
const maxKeys = 30;
const maxKeyChars = 60;
/** Items of a list that are looked at for their keys. */
const maxItems = 100;

/** A tool's result as the text of a file: its text as it is, other data as JSON with a line for each member. */
export function toTextFile(output: Json): TextFile {
  if (typeof output !== "string") return jsonText(JSON.stringify(output, null, 2), output);
  const data = /^\s*[[{]/.test(output) ? parseJson(output) : undefined;
  if (data !== undefined) return jsonText(output, data);
  const columns = columnsOf(output);
  if (columns === undefined)
    return { text: output, extension: "txt", mediaType: "text/plain", shape: `text with ${lineCount(output)}` };
  const shape = `table with ${lineCount(output)} and the columns ${named(columns)}`;
  return { text: output, extension: "csv", mediaType: "text/csv", shape };
}

function jsonText(text: string, data: Json): TextFile {
  return { text, extension: "json", mediaType: "application/json", shape: shapeOf(data) };
}

/** What data is made of, two levels deep. */
export function shapeOf(data: Json, depth = 2): string {
  if (Array.isArray(data)) {
    const items = `list of ${data.length.toLocaleString("en")} ${data.length === 1 ? "item" : "items"}`;
    if (data.length === 0 || depth === 0) return items;
    const keys = keysOf(data.slice(0, maxItems).filter(isJsonObject));
    return keys.length > 0 ? `${items} with the keys ${named(keys)}` : `${items}: ${wordOf(data[0] ?? null)}`;
  }
  if (!isJsonObject(data)) return wordOf(data);
  const entries = Object.entries(data);
  const count = `object with ${entries.length.toLocaleString("en")} ${entries.length === 1 ? "key" : "keys"}`;
  if (depth === 0) return count;
  const parts = entries
    .slice(0, maxKeys)
    .map(([key, value]) => `${firstChars(key, maxKeyChars)} (${shapeOf(value, depth - 1)})`);
  const rest = entries.length > maxKeys ? ", …" : "";
  return entries.length === 0 ? count : `${count}: ${parts.join(", ")}${rest}`;
}

function wordOf(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "string") return "text";
  return isJsonObject(value) ? "object" : Array.isArray(value) ? "list" : typeof value;
}

function keysOf(items: readonly object[]): string[] {
  return [...new Set(items.flatMap((item) => Object.keys(item)))];
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, maxKeys).map((name) => firstChars(name, maxKeyChars));
  return `${shown.join(", ")}${names.length > maxKeys ? ", …" : ""}`;
}

function lineCount(text: string): string {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return `${lines.toLocaleString("en")} ${lines === 1 ? "line" : "lines"}`;
}

/** The columns of text that looks like CSV: its first lines have the same separator equally often. */
function columnsOf(text: string): string[] | undefined {
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .slice(0, 6)
    .filter((line) => line.trim() !== "");
  const [header = "", ...rows] = lines.length > 2 && text.length > 20_000 ? lines.slice(0, -1) : lines;
  if (rows.length === 0) return undefined;
  for (const separator of ["\t", ";", ","]) {
    const columns = header.split(separator);
    const fits =
      columns.length > 1 && rows.every((row) => row.includes('"') || row.split(separator).length === columns.length);
    if (fits) return columns.map((column) => column.trim().replace(/^"|"$/g, ""));
  }
  return undefined;
}
