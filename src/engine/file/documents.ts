import type { Json, JsonObject } from "../json.ts";
import type { DocumentMetadata } from "../knowledge/document-metadata.ts";
import type { DocumentKind, DocumentSection } from "../knowledge/source-document.ts";

/** The content of a file with what is known of it. The media type may be empty. */
export interface NamedBytes {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** What stands in a cell of a table; dates are ISO 8601 texts. */
export type TableCell = string | number | boolean | null;

/** A table or a sheet. Rows may differ in length. */
export interface DocumentTable {
  /** The name of the sheet; empty where it has none. */
  name: string;
  rows: readonly (readonly TableCell[])[];
}

/** What a document says. */
export interface ReadDocument {
  kind: DocumentKind;
  title?: string;
  /** Its text with headings, pages and rows. */
  sections: readonly DocumentSection[];
  tables: readonly DocumentTable[];
  /** The whole text as it is written, of formats that are text. */
  source?: string;
  /** JSON and XML as data. */
  data?: Json;
  /** What it says of itself to be found by: front matter of Markdown. */
  metadata?: DocumentMetadata;
  /** Of an email: subject, sender, recipients and date. */
  about?: JsonObject;
}

/** What files can be made as. */
export const madeFormats = ["xlsx", "csv", "pdf", "html", "markdown", "text", "json"] as const;

/** One of `madeFormats`. */
export type MadeFormat = (typeof madeFormats)[number];

/** Work on the content of files, done apart from the run, within limits of size, time and memory. */
export type DocumentWork =
  /** Without `kind` the name, the media type and the beginning of the file tell it. */
  | { do: "read"; file: NamedBytes; kind?: DocumentKind }
  /** `content` is Markdown for `html` and `pdf`, a list of objects or lists for tables, anything for the others. */
  | { do: "make"; format: MadeFormat; name: string; content: Json }
  | { do: "zip"; name: string; files: readonly NamedBytes[] }
  | { do: "unzip"; file: NamedBytes };

/** `files` are attachments of what was read, what was made or what an archive holds; `notes` say what was left out. */
export type DocumentAnswer =
  | { ok: true; document?: ReadDocument; files: NamedBytes[]; notes?: string[] }
  | { ok: false; message: string; hint: string };

/** Reads and makes files. Rejects only with the signal's reason. */
export type Documents = (work: DocumentWork, signal: AbortSignal) => Promise<DocumentAnswer>;
