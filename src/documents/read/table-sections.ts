import type { DocumentTable } from "../../engine/file/documents.ts";
import type { DocumentSection } from "../../engine/knowledge/source-document.ts";

/** A section per row, `column: value` a line; the first row names the columns, the sheet is the heading. */
export function tableSections({ name, rows: [header = [], ...rows] }: DocumentTable): DocumentSection[] {
  const names = header.map((cell, index) => String(cell ?? "").trim() || `Column ${index + 1}`);
  return rows.flatMap((row, index): DocumentSection[] => {
    const lines = row.flatMap((cell, column) => {
      const value = String(cell ?? "").trim();
      return value === "" ? [] : [`${names[column] ?? `Column ${column + 1}`}: ${value}`];
    });
    if (lines.length === 0) return [];
    const headings = name === "" ? [] : [name];
    return [{ headings, text: lines.join("\n"), metadata: { row: index + 2 }, alone: true }];
  });
}
