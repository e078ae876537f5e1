import Papa from "papaparse";
import type { DocumentTable } from "../../engine/file/documents.ts";
import { DocumentError } from "../document-error.ts";
import { maxRows } from "../limits.ts";

/** The rows of a table, the delimiter found out. Throws a DocumentError for an open quote and too many rows. */
export function readCsv(text: string): DocumentTable {
  const { data, errors } = Papa.parse<string[]>(text.replace(/^(?:[^\S\t]*\n)+/, "").trimEnd(), {
    preview: maxRows + 2,
  });
  const broken = errors.find((error) => error.type === "Quotes");
  if (broken) {
    const place = broken.row === undefined ? "" : ` in row ${broken.row + 1}`;
    const hint = "Close the quotes in the file, or save it again as CSV.";
    throw new DocumentError(`The table cannot be read: a quote${place} is not closed.`, hint);
  }
  if (data.length > maxRows + 1) {
    throw new DocumentError("The table has more than 500,000 rows.", "Split it into several files.");
  }
  return { name: "", rows: data };
}
