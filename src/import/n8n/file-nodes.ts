import type { Json } from "../../engine/json.ts";
import { quoted } from "../expressions/piece.ts";
import { fileOfText, textOfFile } from "./encoded-files.ts";
import type { Made, Mappers } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

/** Operations that read a table; n8n hands out its rows as items. */
const tables: Readonly<Record<string, string>> = { csv: "csv", xls: "xlsx", xlsx: "xlsx", ods: "ods", html: "html" };

/** Whether an operation of n8n's Extract from File gives the rows of a table. */
export function givesRows(operation: Json): boolean {
  return typeof operation === "string" && Object.hasOwn(tables, operation);
}

const notes = {
  old: "Excel files of before 2007 are not read or made here: they have to be .xlsx.",
  several: "It takes the first file of its input.",
};

/** A step that reads the file before, and the node itself, which gives what n8n's gives. */
function reading(work: NodeWork, read: Record<string, Json>, made: Pick<Made, "type" | "config">, note?: string): Made {
  const before = [{ title: work.step("read").title, type: "read-file", config: { file: "{{json}}", ...read } }];
  return { ...made, before, ...(note === undefined ? {} : { outcome: "approximated", note }) };
}

/** The rows of a table as a list, which stands for n8n's items. */
function rows(work: NodeWork, operation: string): Made {
  const format = tables[operation] ?? "auto";
  const options = ["options", "sheetName"];
  const sheet = work.word(options);
  const read = {
    give: "rows",
    // A file says itself what it is; a text does not.
    ...(format === "csv" || format === "html" ? { format } : {}),
    ...(sheet === "" ? {} : { sheet }),
    ...(work.at("options", "headerRow") === false ? { hasHeader: false } : {}),
  };
  return reading(
    work,
    read,
    { type: "code", config: { code: "return json.rows;" } },
    operation === "xls" ? notes.old : undefined,
  );
}

/** One value of a file, under n8n's name of it. */
function value(work: NodeWork, read: Record<string, Json>, from: string): Made {
  const name = work.word("destinationKey") || "data";
  return reading(work, read, {
    type: "set-fields",
    config: { fields: { [name]: `{{json.${from}}}` }, keepInput: false },
  });
}

function fromFile(work: NodeWork): Made {
  const operation = work.word("operation", "csv");
  switch (operation) {
    case "csv":
    case "xls":
    case "xlsx":
    case "ods":
    case "html":
      return rows(work, operation);
    case "fromJson":
      return value(work, { give: "data", format: "json" }, "data");
    case "pdf":
      return reading(
        work,
        { give: "text" },
        { type: "set-fields", config: { fields: { text: "{{json.text}}" }, keepInput: false } },
      );
    case "text":
    case "xml":
      return value(work, { give: "text", format: "text" }, "text");
    case "rtf":
    case "fromIcs":
      return value(work, { give: "text" }, "text");
    // n8n's own spelling.
    case "binaryToPropery":
      return textOfFile(work);
    default:
      return { outcome: "placeholder", note: `Nothing here reads a file as “${operation}”.` };
  }
}

/** The formats that n8n makes, by the operation. */
const made: Readonly<Record<string, { format: string; note?: string }>> = {
  csv: { format: "csv" },
  xlsx: { format: "xlsx" },
  xls: { format: "xlsx", note: notes.old },
  ods: { format: "xlsx", note: "It makes an Excel file: OpenDocument tables are not made here." },
  html: { format: "html" },
  toJson: { format: "json" },
  toText: { format: "text" },
  rtf: { format: "html", note: "It makes a page of HTML: Rich Text is not made here." },
};

function toFile(work: NodeWork): Made {
  const operation = work.word("operation", "csv");
  if (operation === "toBinary") return fileOfText(work);
  const found = Object.hasOwn(made, operation) ? made[operation] : undefined;
  if (!found) return { outcome: "placeholder", note: `Nothing here makes a file as “${operation}”.` };
  const source = operation === "toText" ? work.word("sourceProperty") : "";
  const first = work.getsItems ? "json[0]" : "json";
  const content = source === "" ? "{{json}}" : `{{${first}[${quoted(source)}]}}`;
  const name = work.word(["options", "fileName"]).replace(/\.[a-z]{2,4}$/i, "");
  const config = { format: found.format, content, ...(name === "" ? {} : { name: work.text(name) }) };
  return {
    type: "make-file",
    config,
    ...(found.note === undefined ? {} : { outcome: "approximated", note: found.note }),
  };
}

function compression(work: NodeWork): Made {
  const unpacks = work.word("operation", "decompress") === "decompress";
  const isGzip = work.word("outputFormat") === "gzip";
  if (!unpacks && isGzip) return { outcome: "placeholder", note: "Only ZIP archives are made here." };
  if (unpacks)
    return { type: "unzip-file", config: {}, outcome: "approximated", note: `It gives { files }. ${notes.several}` };
  const name = work.word("fileName").replace(/\.zip$/i, "");
  return { type: "zip-files", config: name === "" ? {} : { name: work.text(name) } };
}

function spreadsheet(work: NodeWork): Made {
  const format = work.word("fileFormat", "xls");
  if (work.word("operation", "fromFile") === "fromFile") return rows(work, "xlsx");
  const isCsv = format === "csv";
  return { type: "make-file", config: { format: isCsv ? "csv" : "xlsx", content: "{{json}}" } };
}

function binaryData(work: NodeWork): Made {
  if (work.word("mode", "binaryToJson") === "jsonToBinary")
    return { type: "make-file", config: { format: "json", content: "{{json}}" } };
  return value(
    work,
    { give: work.at("setAllData") === false ? "text" : "auto" },
    work.at("setAllData") === false ? "text" : "data",
  );
}

/** Nodes that read, make and pack files, by n8n's names. */
export const fileNodes: Mappers = {
  extractFromFile: fromFile,
  convertToFile: toFile,
  spreadsheetFile: spreadsheet,
  moveBinaryData: binaryData,
  compression,
};
