import type { DocumentKind } from "../engine/knowledge/source-document.ts";

const byEnding: Readonly<Record<string, DocumentKind>> = {
  txt: "text",
  text: "text",
  log: "text",
  rst: "text",
  md: "markdown",
  markdown: "markdown",
  mdx: "markdown",
  html: "html",
  htm: "html",
  xhtml: "html",
  csv: "csv",
  tsv: "csv",
  json: "json",
  jsonl: "json",
  ndjson: "json",
  xml: "xml",
  rss: "xml",
  atom: "xml",
  pdf: "pdf",
  docx: "docx",
  docm: "docx",
  dotx: "docx",
  xlsx: "xlsx",
  xlsm: "xlsx",
  xltx: "xlsx",
  pptx: "pptx",
  pptm: "pptx",
  ppsx: "pptx",
  odt: "odt",
  ott: "odt",
  ods: "ods",
  ots: "ods",
  epub: "epub",
  rtf: "rtf",
  eml: "eml",
  msg: "msg",
  png: "picture",
  jpg: "picture",
  jpeg: "picture",
  gif: "picture",
  webp: "picture",
};

const byType: readonly (readonly [RegExp, DocumentKind])[] = [
  [/^text\/markdown/, "markdown"],
  [/^(text\/html|application\/xhtml)/, "html"],
  [/^text\/(csv|tab-separated-values)/, "csv"],
  [/^application\/(.*\+)?json|ndjson|jsonl/, "json"],
  [/^application\/pdf/, "pdf"],
  [/wordprocessingml/, "docx"],
  [/spreadsheetml/, "xlsx"],
  [/presentationml/, "pptx"],
  [/opendocument\.text/, "odt"],
  [/opendocument\.spreadsheet/, "ods"],
  [/^application\/epub/, "epub"],
  [/^(application|text)\/rtf/, "rtf"],
  [/^message\/rfc822/, "eml"],
  [/^application\/vnd\.ms-outlook/, "msg"],
  [/^image\/(png|jpe?g|gif|webp)/, "picture"],
  [/^(text|application)\/(.*\+)?xml/, "xml"],
  [/^text\//, "text"],
];

/** Files of these kinds are no text, whatever is left of them. */
const noText = /\.(doc|xls|ppt|odp|pages|numbers|zip|gz|heic|tiff?|bmp|mp[34]|wav|mov)$/i;
const noTextType = /^(image\/(?!svg)|audio\/|video\/)|msword|officedocument|opendocument|ms-excel|ms-powerpoint|\bzip$/;

/** Kinds that are ZIP archives. */
const zipped: ReadonlySet<DocumentKind> = new Set(["docx", "xlsx", "pptx", "odt", "ods", "epub"]);

/** What a ZIP archive says of its kind: the media type that comes first in it, or paths of its parts. */
const partsOf: readonly (readonly [RegExp, DocumentKind])[] = [
  [/mimetypeapplication\/vnd\.oasis\.opendocument\.text/, "odt"],
  [/mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet/, "ods"],
  [/mimetypeapplication\/epub\+zip/, "epub"],
  [/word\/document\.xml/, "docx"],
  [/xl\/workbook\.xml/, "xlsx"],
  [/ppt\/presentation\.xml/, "pptx"],
];

/** How files begin that hold others: ZIP, and Office files with it, gzip, RAR, 7-Zip, xz and Office files of before 2007. */
// eslint-disable-next-line no-control-regex -- they are the bytes that such files begin with.
const packed = /^(?:PK[\x03\x05\x07][\x04\x06\x08]|\x1f\uFFFD|Rar!\x1a|7z\uFFFD\uFFFD|\uFFFD7zXZ\0|\uFFFD\uFFFD\x11)/;

/** Whether a file that begins so, read as UTF-8, holds others. */
export function isPacked(start: string): boolean {
  return packed.test(start);
}

/**
 * How to read a document: by the ending of its name, else by its media type, else by how its text begins; an archive without
 * either by `end`, its last bytes. Null for what cannot be read.
 */
export function sourceKind(name: string, mediaType: string, start: string, end = ""): DocumentKind | null {
  if (start.startsWith("%PDF-")) return "pdf";
  if (start.startsWith("{\\rtf")) return "rtf";
  const ending = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const named = Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined;
  const typed = byType.find(([pattern]) => pattern.test(mediaType.toLowerCase()))?.[1];
  if (isPacked(start)) return packedKind([named, typed], start, end);
  const isArchive = (kind: DocumentKind | undefined) => kind !== undefined && (kind === "msg" || zipped.has(kind));
  if (named !== undefined && !isArchive(named)) return named;
  if (typed !== undefined && typed !== "text" && !isArchive(typed)) return typed;
  if (isArchive(named) || isArchive(typed)) return null;
  if (noText.test(name) || noTextType.test(mediaType.toLowerCase()) || start.startsWith("PK\u0003\u0004")) return null;
  if (start.includes("\0") || start.includes("\uFFFD\uFFFD")) return null;
  if (/^\s*<(!doctype html|html)\b/i.test(start)) return "html";
  if (/^\s*<\?xml\s/i.test(start)) return "xml";
  return /^#{1,6}\s+\S/m.test(start) ? "markdown" : "text";
}

function packedKind(said: (DocumentKind | undefined)[], start: string, end: string): DocumentKind | null {
  if (!start.startsWith("PK")) return said.includes("msg") && start.startsWith("\uFFFD\uFFFD\u0011") ? "msg" : null;
  const shown = partsOf.find(([pattern]) => pattern.test(start) || pattern.test(end))?.[1];
  return shown ?? said.find((kind) => kind !== undefined && zipped.has(kind)) ?? null;
}
