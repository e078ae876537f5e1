import type { NamedBytes, ReadDocument } from "../../engine/file/documents.ts";
import type { DocumentKind } from "../../engine/knowledge/source-document.ts";
import { decodeText } from "../../engine/text/decode-text.ts";
import { DocumentError } from "../document-error.ts";
import type { DrawnKind } from "../drawn-kind.ts";
import { maxRead } from "../limits.ts";
import { readCsv } from "./read-csv.ts";
import { readDocx } from "./read-docx.ts";
import { readEml, readMsg } from "./read-email.ts";
import { readEpub } from "./read-epub.ts";
import { readFrontMatter } from "./read-front-matter.ts";
import { readHtml } from "./read-html.ts";
import { jsonSections, readJson } from "./read-json.ts";
import { readMarkdown } from "./read-markdown.ts";
import { readOds } from "./read-ods.ts";
import { readOdt } from "./read-odt.ts";
import { readPptx } from "./read-pptx.ts";
import { readRtf } from "./read-rtf.ts";
import { readText } from "./read-text.ts";
import { readXlsx } from "./read-xlsx.ts";
import { readXml } from "./read-xml.ts";
import { tableSections } from "./table-sections.ts";

/** What a file says, with the files inside an email. */
export interface Reading {
  document: ReadDocument;
  files: NamedBytes[];
}

type Read = Omit<ReadDocument, "kind" | "tables" | "title"> &
  Partial<Pick<ReadDocument, "tables" | "title">> & { files?: NamedBytes[] };

/**
 * Reads a document of every kind but PDFs and pictures, each by its own reader. Throws a DocumentError for what
 * cannot be read or is too much.
 */
export async function readDocument(kind: Exclude<DocumentKind, DrawnKind>, file: NamedBytes): Promise<Reading> {
  const { title, files = [], tables = [], ...read } = await readKind(kind, file);
  const length = read.sections.reduce((sum, { text }) => sum + text.length, 0);
  if (length > maxRead) {
    const message = `The file has more than ${maxRead / 1e6} million characters of text.`;
    throw new DocumentError(message, "Split it into several files.");
  }
  return { document: { kind, ...(title ? { title } : {}), ...read, tables }, files };
}

async function readKind(kind: Exclude<DocumentKind, DrawnKind>, file: NamedBytes): Promise<Read> {
  const { bytes } = file;
  switch (kind) {
    case "text":
      return ofText(file, (source) => ({ sections: readText(source) }));
    case "markdown":
      return described(ofText(file, (source) => ({ sections: readMarkdown(source) })));
    case "csv":
      return ofText(file, (source) => {
        const table = readCsv(source);
        return { sections: tableSections(table), tables: [table] };
      });
    case "json":
      return ofText(file, (source) => {
        const data = readJson(source);
        return { sections: jsonSections(data), data };
      });
    case "xml":
      return ofText(file, (source) => {
        const data = readXml(source);
        return { sections: jsonSections(data), data };
      });
    case "html":
      return ofText(file, readHtml);
    case "docx":
      return readDocx(bytes);
    case "pptx":
      return { sections: readPptx(bytes) };
    case "odt":
      return readOdt(bytes);
    case "epub":
      return readEpub(bytes);
    case "xlsx":
      return ofTables(await readXlsx(bytes));
    case "ods":
      return ofTables(readOds(bytes));
    case "rtf":
      return { sections: readText(readRtf(bytes)) };
    case "eml":
      return readEml(bytes);
    case "msg":
      return readMsg(bytes);
    default:
      return kind satisfies never;
  }
}

function ofText({ bytes, mediaType }: NamedBytes, read: (source: string) => Read): Read {
  const source = decodeText(bytes, { contentType: mediaType }) ?? new TextDecoder().decode(bytes);
  if (source.length > maxRead) {
    const message = `The file has ${Math.ceil(source.length / 1e6)} million characters; ${maxRead / 1e6} million are read.`;
    throw new DocumentError(message, "Split it into several files.");
  }
  return { ...read(source), source };
}

/** With what front matter says. */
async function described(read: Read): Promise<Read> {
  const metadata = await readFrontMatter(read.source ?? "");
  return metadata === undefined ? read : { ...read, metadata };
}

const ofTables = (tables: NonNullable<Read["tables"]>): Read => ({ sections: tables.flatMap(tableSections), tables });
