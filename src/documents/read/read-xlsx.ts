import type { DocumentTable, TableCell } from "../../engine/file/documents.ts";
import { DocumentError } from "../document-error.ts";
import { maxCells, maxColumns, maxRows } from "../limits.ts";
import { repack } from "../unpack.ts";
import { type OfficePackage, openPackage } from "./office-package.ts";
import { xmlEvents } from "./xml-events.ts";

/** The sheets of an Excel file by read-excel-file; dates become texts such as 2026-01-31. */
export async function readXlsx(bytes: Uint8Array): Promise<DocumentTable[]> {
  const opened = openPackage(bytes, "xl/workbook.xml", "an Excel file");
  checkSize(opened);
  const { default: readSheets } = await import("read-excel-file/universal");
  const sheets = await readSheets(repack(opened.files).buffer);
  return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data.map((row) => row.map(cellOf)) }));
}

function cellOf(value: unknown): TableCell {
  if (value instanceof Date) {
    const text = Number.isNaN(value.getTime()) ? "" : value.toISOString();
    return text.replace(/T00:00:00\.000Z$/, "");
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

/** Rows of a sheet, as Excel has them; a row without cells may be any of these. */
const lastRow = 1_048_576;

/**
 * A reader makes room for every cell up to the last one, so that two cells far apart would be enough to fill the memory. Any part may be
 * a sheet, whatever its path.
 */
function checkSize(opened: OfficePackage): void {
  let cells = 0;
  for (const [path, part] of opened.files) {
    if (!new TextDecoder("latin1").decode(part).includes("sheetData")) continue;
    const { rows, columns } = extentOf(opened.text(path) ?? "");
    cells += rows * columns;
    if (columns > maxColumns) throw tooMany("columns", maxColumns);
    if (rows > maxRows + 1) throw tooMany("rows", maxRows);
    if (cells > maxCells) throw tooMany("cells", maxCells);
  }
}

function extentOf(xml: string): { rows: number; columns: number } {
  let [rows, columns] = [0, 0];
  xmlEvents(xml, {
    open(name, { r = "" }) {
      if (/(?:^|:)row$/.test(name) && Number(r) > lastRow) rows = Math.max(rows, Number(r));
      if (!/(?:^|:)c$/.test(name)) return;
      const [letters = ""] = /^[^0-9]*/.exec(r) ?? [];
      columns = Math.max(columns, columnNumber(letters));
      rows = Math.max(rows, Number(r.slice(letters.length)) || 0);
    },
  });
  return { rows, columns };
}

/** As the reader counts, whatever the letters are. */
function columnNumber(letters: string): number {
  let number = 0;
  for (let at = 0; at < letters.length; at += 1) number = number * 26 + letters.charCodeAt(at) - 64;
  return number;
}

function tooMany(what: string, most: number): DocumentError {
  const hint = "Delete cells far from the others, or split the file into several.";
  return new DocumentError(`The file has more than ${most.toLocaleString("en")} ${what}.`, hint);
}
