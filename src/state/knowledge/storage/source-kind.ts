import type { DocumentKind } from "../../../engine/knowledge/source-document.ts";

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
  pdf: "pdf",
};

const byType: readonly (readonly [RegExp, DocumentKind])[] = [
  [/^text\/markdown/, "markdown"],
  [/^(text\/html|application\/xhtml)/, "html"],
  [/^text\/(csv|tab-separated-values)/, "csv"],
  [/^application\/(.*\+)?json|ndjson|jsonl/, "json"],
  [/^application\/pdf/, "pdf"],
  [/^text\//, "text"],
];

/**
 * How to read a document: by the ending of its name, else by its media type, else by how its text begins. Null for what
 * is no text.
 */
export function sourceKind(name: string, mediaType: string, start: string): DocumentKind | null {
  if (start.startsWith("%PDF-")) return "pdf";
  const ending = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (Object.hasOwn(byEnding, ending)) return byEnding[ending] ?? null;
  const typed = byType.find(([pattern]) => pattern.test(mediaType.toLowerCase()));
  if (typed && typed[1] !== "text") return typed[1];
  if (start.includes("\0") || start.includes("\uFFFD\uFFFD")) return null;
  if (/^\s*<(!doctype html|html)\b/i.test(start)) return "html";
  return /^#{1,6}\s+\S/m.test(start) ? "markdown" : "text";
}
