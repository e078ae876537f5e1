import type { DocumentSection } from "../../engine/knowledge/source-document.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { DocumentError } from "../document-error.ts";
import { parseLosslessJson } from "../../engine/lossless-json.ts";

/** A section per entry of a list, per member of an object otherwise. */
export function jsonSections(value: Json): DocumentSection[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => section([`Entry ${index + 1}`], entry, index + 1));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, member]) => sectionsOf(name, member));
  return section([], value);
}

function sectionsOf(name: string, value: Json): DocumentSection[] {
  if (!Array.isArray(value) || value.every((entry) => typeof entry !== "object")) return section([name], value);
  return value.flatMap((entry, index) => section([name, `Entry ${index + 1}`], entry, index + 1));
}

function section(headings: string[], value: Json, entry?: number): DocumentSection[] {
  const text = readable(value).trim();
  if (text === "") return [];
  return [{ headings, text, ...(entry === undefined ? {} : { metadata: { entry } }) }];
}

/** `name: value` lines, which are found and understood better than braces and quotes. */
function readable(value: Json, indent = ""): string {
  if (Array.isArray(value)) {
    return value
      .map((entry) =>
        typeof entry === "object" ? `${indent}-\n${readable(entry, `${indent}  `)}` : `${indent}- ${String(entry)}`,
      )
      .join("\n");
  }
  if (!isJsonObject(value)) return value === null ? "" : `${indent}${String(value)}`;
  return Object.entries(value)
    .map(([name, member]) =>
      typeof member === "object" && member !== null
        ? `${indent}${name}:\n${readable(member, `${indent}  `)}`
        : `${indent}${name}: ${member === null ? "" : String(member)}`,
    )
    .join("\n");
}

/** The value of a JSON text; JSON Lines are a list. Throws a DocumentError for what is neither. */
export function readJson(text: string): Json {
  try {
    return parseLosslessJson(text) as Json;
  } catch (error) {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
    try {
      if (lines.length > 1) return lines.map((line) => parseLosslessJson(line) as Json);
    } catch {
      // Neither one value nor one per line: the first error tells more.
    }
    const reason = error instanceof Error ? error.message : String(error);
    const hint = "Correct the file, or add it as plain text by pasting it.";
    throw new DocumentError(`The file is not valid JSON: ${reason}.`, hint);
  }
}
