import type { DocumentTable, ReadDocument } from "../../engine/file/documents.ts";
import { documentText } from "../../engine/file/document-text.ts";
import { RunError } from "../../engine/errors.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import type { DocumentSection } from "../../engine/knowledge/source-document.ts";

/** What a step gives of a file. */
export const readParts = ["auto", "text", "rows", "pages", "data"] as const;

/** One of `readParts`. */
export type ReadPart = (typeof readParts)[number];

export interface ReadOptions {
  give: ReadPart;
  /** The name of a sheet or its number from 1; empty for the first. */
  sheet: string;
  /** Whether the first row names the columns. */
  hasHeader: boolean;
}

/** What a document says, as data of a run. Throws a RunError where it has no such part. */
export function readOutput(document: ReadDocument, { give, sheet, hasHeader }: ReadOptions): JsonObject {
  const { kind, title, about, sections, tables } = document;
  const part = give === "auto" ? usualPart(document) : give;
  const facts = { kind, ...(title ? { title } : {}), ...about };
  switch (part) {
    case "text":
      return { ...facts, text: documentText(document) };
    case "rows": {
      const table = tableOf(tables, sheet);
      const sheets = tables.map(({ name }, index) => name || String(index + 1));
      return {
        ...facts,
        ...(sheets.length > 1 ? { sheets } : {}),
        rows: hasHeader ? objectsOf(table) : listsOf(table),
      };
    }
    case "pages":
      return { ...facts, pages: pagesOf(sections) };
    case "data":
      if (document.data === undefined) throw missing("no data", "Only JSON and XML are data. Choose Text or Rows.");
      return { ...facts, data: document.data };
    default:
      return part satisfies never;
  }
}

function usualPart({ kind, data }: ReadDocument): Exclude<ReadPart, "auto"> {
  if (kind === "csv" || kind === "xlsx" || kind === "ods") return "rows";
  return data === undefined ? "text" : "data";
}

function tableOf(tables: readonly DocumentTable[], sheet: string): DocumentTable {
  const wanted = sheet.trim();
  const named = tables.find(({ name }) => name.trim().toLowerCase() === wanted.toLowerCase());
  const found = wanted === "" ? tables[0] : (named ?? tables[Number(wanted) - 1]);
  if (found) return found;
  if (tables.length === 0) throw missing("no table", "Choose Text, or use a file with a table.");
  const names = tables.map(({ name }, index) => name || String(index + 1)).join(", ");
  throw missing(`no sheet "${wanted}"`, `It has: ${names}.`);
}

function objectsOf({ rows: [header = [], ...rows] }: DocumentTable): Json[] {
  const width = Math.max(header.length, ...rows.slice(0, 1_000).map((row) => row.length));
  const names = new Set<string>();
  for (let index = 0; index < width; index += 1) {
    const plain = String(header[index] ?? "").trim() || `Column ${index + 1}`;
    let free = plain;
    for (let number = 2; names.has(free); number += 1) free = `${plain} ${number}`;
    names.add(free);
  }
  const columns = [...names];
  return rows
    .filter((row) => row.some((cell) => cell !== null && cell !== ""))
    .map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));
}

const listsOf = ({ rows }: DocumentTable): Json[] => rows.map((row) => [...row]);

function pagesOf(sections: readonly DocumentSection[]): Json[] {
  const pages = new Map<number, string[]>();
  for (const { headings, text, metadata } of sections) {
    const page = metadata?.["page"] ?? metadata?.["slide"];
    if (typeof page !== "number") continue;
    const heading = headings.at(-1);
    const before = pages.get(page);
    // The heading goes on over pages that follow.
    const lines = heading !== undefined && heading !== text && !before?.includes(heading) ? [heading, text] : [text];
    pages.set(page, [...(before ?? []), ...lines]);
  }
  if (pages.size === 0) throw missing("no pages", "Only PDF and PowerPoint files have pages. Choose Text.");
  return [...pages].map(([page, lines]) => ({ page, text: lines.join("\n\n") }));
}

function missing(what: string, hint: string): RunError {
  return new RunError({ code: "invalid_config", message: `The file has ${what}.`, hint });
}
