import type { JsonObject } from "../json.ts";
import type { MetadataChange } from "./document-metadata.ts";
import type { Taint } from "../trust/taint.ts";

/** What documents are made of, by how they are read. */
export const documentKinds = [
  "text",
  "markdown",
  "html",
  "csv",
  "json",
  "xml",
  "pdf",
  "docx",
  "xlsx",
  "pptx",
  "odt",
  "ods",
  "epub",
  "rtf",
  "eml",
  "msg",
  "picture",
] as const;

/** One of `documentKinds`. */
export type DocumentKind = (typeof documentKinds)[number];

/** Whether documents of this kind have pages that can be shown as they look. */
export const hasPages = (kind: DocumentKind): boolean => kind === "pdf";

/** A piece of a document that belongs together: what stands under one heading, a row, a page. */
export interface DocumentSection {
  /** Headings above it, outermost first. */
  headings: readonly string[];
  text: string;
  /** Noted with every chunk of the section, such as `{ page: 3 }`. */
  metadata?: JsonObject;
  /** A section that is never joined with its neighbours in one chunk. */
  alone?: boolean;
}

/** What chunks are made from. */
export interface DocumentContent {
  sections: readonly DocumentSection[];
  /** Who wrote it, where strangers may have: each chunk keeps that. */
  untrusted?: Taint;
}

/** A document as text with its structure: what every reader makes and every chunker takes. */
export interface SourceDocument extends DocumentContent {
  name: string;
  kind: DocumentKind;
  /** Where it came from: a URL; empty for an upload or pasted text. */
  source: string;
  /** Bytes of what was read. */
  size: number;
  /** Of the file that it was read from, in hex; absent where it came another way. */
  sha256?: string;
  /** Id of the file that it was read from, where its pages are to be shown: it is kept as long as the document. */
  original?: string;
  /** What it is found by besides its text, added to what the document of its name has. */
  metadata?: MetadataChange;
}
