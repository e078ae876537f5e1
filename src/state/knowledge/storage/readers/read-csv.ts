import Papa from "papaparse";
import type { DocumentSection } from "../../../../engine/knowledge/source-document.ts";
import { ServiceError } from "../../../../services/services.ts";

/** More rows do not fit into a document, however short they are. */
const mostRows = 500_000;

/** A section per row, `column: value` a line; the delimiter is found out, the first row names the columns. */
export function readCsv(text: string): DocumentSection[] {
  const { data, errors } = Papa.parse<string[]>(text.replace(/^(?:[^\S\t]*\n)+/, "").trimEnd(), {
    preview: mostRows + 2,
  });
  const broken = errors.find((error) => error.type === "Quotes");
  if (broken) {
    const place = broken.row === undefined ? "" : ` in row ${broken.row + 1}`;
    const hint = "Close the quotes in the file, or save it again as CSV.";
    throw new ServiceError("invalid", `The table cannot be read: a quote${place} is not closed.`, hint);
  }
  if (data.length > mostRows + 1) {
    throw new ServiceError("invalid", "The table has more than 500,000 rows.", "Split it into several files.");
  }
  const [header = [], ...rows] = data;
  const names = header.map((name, index) => name.trim() || `Column ${index + 1}`);
  return rows.flatMap((row, index): DocumentSection[] => {
    const lines = row.flatMap((cell, column) => {
      const value = cell.trim();
      return value === "" ? [] : [`${names[column] ?? `Column ${column + 1}`}: ${value}`];
    });
    if (lines.length === 0) return [];
    return [{ headings: [], text: lines.join("\n"), metadata: { row: index + 2 }, alone: true }];
  });
}
