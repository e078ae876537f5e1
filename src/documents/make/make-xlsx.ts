import type { DocumentTable, TableCell } from "../../engine/file/documents.ts";
import { DocumentError } from "../document-error.ts";

/** Characters of a cell in Excel (https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3). */
const maxCellLength = 32_767;

/** An Excel file of tables by write-excel-file, the first row of each in bold. */
export async function makeXlsx(tables: readonly DocumentTable[]): Promise<Uint8Array> {
  const { default: writeSheets } = await import("write-excel-file/universal");
  const names = new Set<string>();
  const sheets = tables.map(({ name, rows }, index) => ({
    sheet: sheetName(name || `Sheet${index + 1}`, names),
    stickyRowsCount: rows.length > 1 ? 1 : 0,
    data: rows.map((row, number) => row.map((cell) => excelCell(cell, number))),
  }));
  return new Uint8Array(await (await writeSheets(sheets).toBlob()).arrayBuffer());
}

function excelCell(value: TableCell, row: number) {
  if (value === null || value === "") return null;
  if (typeof value === "string" && value.length > maxCellLength) {
    const message = `A cell in row ${row + 1} has more than ${maxCellLength.toLocaleString("en")} characters, the most that Excel takes.`;
    throw new DocumentError(message, "Shorten it, or make a CSV file.");
  }
  // Excel has no number for these.
  if (typeof value === "number" && !Number.isFinite(value)) return { value: String(value), type: String };
  if (typeof value === "string" && value in Object.prototype) return { value: encoded(value), type: String };
  const type = typeof value === "string" ? String : typeof value === "number" ? Number : Boolean;
  return { value, type, ...(row === 0 ? { fontWeight: "bold" as const } : {}) };
}

/**
 * The same text with its first character by number (ST_Xstring, ECMA-376 part 1, 22.9.2.19): write-excel-file takes names that all
 * objects have, such as `valueOf`, for texts that it has met.
 */
function encoded(text: string): string {
  return `_x${text.charCodeAt(0).toString(16).padStart(4, "0")}_${text.slice(1)}`;
}

/** As Excel allows it: at most 31 characters without some signs, and no two alike. */
function sheetName(name: string, taken: Set<string>): string {
  const plain =
    name
      .replace(/[[\]:*?/\\]/g, " ")
      .replace(/^'|'$/g, " ")
      .trim()
      .slice(0, 31) || "Sheet";
  let free = plain;
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) {
    const ending = ` ${number}`;
    free = plain.slice(0, 31 - ending.length) + ending;
  }
  taken.add(free.toLowerCase());
  return free;
}
