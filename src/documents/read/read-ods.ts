import type { DocumentTable, TableCell } from "../../engine/file/documents.ts";
import { DocumentError } from "../document-error.ts";
import { maxCells, maxColumns, maxRows } from "../limits.ts";
import { openPackage } from "./office-package.ts";
import { xmlEvents } from "./xml-events.ts";

/**
 * The sheets of an OpenDocument spreadsheet. Empty cells and rows at the end, which fill a sheet up to its last column, are left
 * out before they are repeated.
 */
export function readOds(bytes: Uint8Array): DocumentTable[] {
  const opened = openPackage(bytes, "content.xml", "an OpenDocument spreadsheet");
  const tables: { name: string; rows: TableCell[][] }[] = [];
  let row: TableCell[] = [];
  let [rowTimes, cellTimes, emptyCells, emptyRows, cells] = [1, 1, 0, 0, 0];
  let value: TableCell = null;
  let text: string | undefined;
  let comments = 0;

  const endCell = () => {
    const cell = value ?? (text === undefined || text === "" ? null : text);
    if (cell === null) emptyCells += cellTimes;
    else {
      cells += (emptyCells + cellTimes) * rowTimes;
      if (row.length + emptyCells + cellTimes > maxColumns) throw tooMany("columns", maxColumns);
      if (cells > maxCells) throw tooMany("cells", maxCells);
      for (; emptyCells > 0; emptyCells -= 1) row.push(null);
      for (let times = 0; times < cellTimes; times += 1) row.push(cell);
    }
    text = undefined;
  };
  const endRow = () => {
    const rows = tables.at(-1)?.rows;
    if (row.length === 0) emptyRows += rowTimes;
    else if (rows) {
      if (rows.length + emptyRows + rowTimes > maxRows + 1) throw tooMany("rows", maxRows);
      for (; emptyRows > 0; emptyRows -= 1) rows.push([]);
      for (let times = 0; times < rowTimes; times += 1) rows.push([...row]);
    }
  };
  xmlEvents(opened.text("content.xml") ?? "", {
    open(name, attributes) {
      if (name === "table:table") {
        tables.push({ name: attributes["table:name"] ?? "", rows: [] });
        emptyRows = 0;
      } else if (name === "table:table-row") {
        row = [];
        emptyCells = 0;
        rowTimes = repeated(attributes["table:number-rows-repeated"]);
      } else if (name === "table:table-cell" || name === "table:covered-table-cell") {
        cellTimes = repeated(attributes["table:number-columns-repeated"]);
        value = typedValue(attributes);
      } else if (name === "office:annotation") comments += 1;
      else if (name === "text:p" && comments === 0) text = text === undefined ? "" : `${text}\n`;
    },
    text(part) {
      if (text !== undefined && comments === 0) text += part;
    },
    close(name) {
      if (name === "table:table-cell" || name === "table:covered-table-cell") endCell();
      else if (name === "table:table-row") endRow();
      else if (name === "office:annotation") comments -= 1;
    },
  });
  return tables;
}

const repeated = (times: string | undefined) => Math.max(1, Math.trunc(Number(times)) || 1);

function typedValue(attributes: Readonly<Record<string, string>>): TableCell {
  switch (attributes["office:value-type"]) {
    case "float":
    case "percentage":
    case "currency":
      return Number(attributes["office:value"]);
    case "boolean":
      return attributes["office:boolean-value"] === "true";
    case "date":
      return attributes["office:date-value"] ?? null;
    default:
      return null;
  }
}

function tooMany(what: string, most: number): DocumentError {
  const hint = "Delete cells far from the others, or split the file into several.";
  return new DocumentError(`The file has more than ${most.toLocaleString("en")} ${what}.`, hint);
}
