import type { DocumentTable, TableCell } from "../../engine/file/documents.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { DocumentError } from "../document-error.ts";
import { maxColumns, maxRows } from "../limits.ts";

/**
 * Tables of data: a list of objects, whose members are columns; a list of lists, whose first one names them; or an object of such
 * lists, each a sheet. One object alone is one row. Lists and objects in a cell are written as JSON. Throws a DocumentError for
 * what is no table.
 */
export function tablesOf(content: Json): DocumentTable[] {
  const isSheets =
    isJsonObject(content) &&
    Object.keys(content).length > 0 &&
    Object.values(content).every((sheet) => Array.isArray(sheet) && sheet.length > 0 && sheet.every(isRow));
  if (isSheets) return Object.entries(content).map(([name, rows]) => tableOf(name, Array.isArray(rows) ? rows : []));
  if (isJsonObject(content)) return [tableOf("", [content])];
  if (Array.isArray(content) && content.every(isRow)) return [tableOf("", content)];
  throw new DocumentError(
    "A table is made of a list of objects, or of a list of rows.",
    "Give the list, such as {{json.rows}}, and no text of it.",
  );
}

const isRow = (value: Json) => Array.isArray(value) || isJsonObject(value);

function tableOf(name: string, list: readonly Json[]): DocumentTable {
  if (list.length > maxRows) throw new DocumentError("The table has more than 500,000 rows.", "Make several files.");
  const columns = new Set(list.flatMap((row) => (isJsonObject(row) ? Object.keys(row) : [])));
  if (columns.size > maxColumns) {
    const message = `The table has more than ${maxColumns.toLocaleString("en")} columns.`;
    throw new DocumentError(message, "Leave columns out before, for example with a Code step.");
  }
  const names = [...columns];
  const rows = list.map((row): TableCell[] => {
    if (Array.isArray(row)) return row.map(cellOf);
    return names.map((column) => (isJsonObject(row) && Object.hasOwn(row, column) ? cellOf(row[column]) : null));
  });
  return { name, rows: names.length > 0 ? [names, ...rows] : rows };
}

function cellOf(value: Json | undefined): TableCell {
  if (value === undefined) return null;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
