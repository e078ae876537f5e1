import Papa from "papaparse";
import type { DocumentTable, MadeFormat, NamedBytes } from "../../engine/file/documents.ts";
import type { Json } from "../../engine/json.ts";
import { DocumentError } from "../document-error.ts";
import { makeHtml } from "./make-html.ts";
import { makePdf } from "./make-pdf.ts";
import { makeXlsx } from "./make-xlsx.ts";
import { markdownOf } from "./markdown-of.ts";
import { tablesOf } from "./tables-of.ts";

/** What is known of a format: the ending of names and the media type. */
const formats: Readonly<Record<MadeFormat, { ending: string; mediaType: string }>> = {
  csv: { ending: "csv", mediaType: "text/csv" },
  xlsx: { ending: "xlsx", mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
  json: { ending: "json", mediaType: "application/json" },
  markdown: { ending: "md", mediaType: "text/markdown" },
  text: { ending: "txt", mediaType: "text/plain" },
  html: { ending: "html", mediaType: "text/html" },
  pdf: { ending: "pdf", mediaType: "application/pdf" },
};

export interface MadeFile {
  file: NamedBytes;
  notes: string[];
}

/** A file of data; its name gets the format's ending. Throws a DocumentError for what cannot be made. */
export async function makeFile(format: MadeFormat, name: string, content: Json): Promise<MadeFile> {
  const { ending, mediaType } = formats[format];
  const title = name.trim().replace(new RegExp(`\\.${ending}$`, "i"), "") || "file";
  const { bytes, notes } = await contentOf(format, title, content);
  return { file: { name: `${title}.${ending}`, mediaType, bytes }, notes };
}

async function contentOf(format: MadeFormat, title: string, content: Json) {
  const ofText = (text: string) => ({ bytes: new TextEncoder().encode(text), notes: [] });
  switch (format) {
    case "csv":
      return ofText(csvOf(tablesOf(content)));
    case "xlsx":
      return { bytes: await makeXlsx(tablesOf(content)), notes: [] };
    case "json":
      return ofText(`${JSON.stringify(content, null, 2)}\n`);
    case "markdown":
      return ofText(markdownOf(content));
    case "text":
      return ofText(typeof content === "string" ? content : JSON.stringify(content, null, 2));
    case "html":
      return ofText(makeHtml(markdownOf(content), title));
    case "pdf":
      return makePdf(markdownOf(content), title);
    default:
      return format satisfies never;
  }
}

function csvOf([table, ...others]: readonly DocumentTable[]): string {
  if (others.length > 0) {
    throw new DocumentError("A CSV file holds one table.", "Give one list, or make an Excel file, which has sheets.");
  }
  return Papa.unparse((table?.rows ?? []).map((row) => [...row]));
}
