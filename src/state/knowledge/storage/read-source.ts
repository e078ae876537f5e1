import type { Host } from "../../../engine/host.ts";
import type { DocumentKind, DocumentSection, SourceDocument } from "../../../engine/knowledge/source-document.ts";
import type { IngestSource, SourceReader } from "../../../services/knowledge.ts";
import { ServiceError } from "../../../services/services.ts";
import { decodeText, isMarkedUtf16 } from "./decode-text.ts";
import { fetchPage } from "./fetch-page.ts";
import { type PdfParts, readPdf } from "./readers/read-pdf.ts";
import type { ReadText } from "./readers/read-structured.ts";
import { readText } from "./readers/read-text.ts";
import type { TextReader } from "./readers/text-reader.ts";
import { sourceKind } from "./source-kind.ts";
import { largestFile, longestText, mostStored, tooLarge, tooLong } from "./source-limits.ts";

/** Where documents are read. */
export interface ReaderParts extends PdfParts {
  readTexts: TextReader;
}

/** Turns files, pages and pasted text into documents. Each format's reader is loaded with its first document. */
export function createSourceReader(callFunction: Host["callFunction"], parts: ReaderParts): SourceReader {
  async function sectionsOf(kind: DocumentKind, content: Content, signal: AbortSignal): Promise<ReadText> {
    switch (kind) {
      case "text":
        return { sections: readText(await content.text()) };
      case "markdown":
      case "csv":
      case "json":
      case "html":
        return parts.readTexts({ kind, text: await content.text() }, signal);
      case "pdf": {
        return { sections: await readPdf(await content.bytes(), signal, parts) };
      }
      default:
        return kind satisfies never;
    }
  }

  return {
    async read(source, signal) {
      const { name, kind, url, content } = await contentOf(source, callFunction, signal);
      const { sections, title } = await sectionsOf(kind, content, signal);
      signal.throwIfAborted();
      const length = sections.reduce((sum, section) => sum + section.text.length, 0);
      if (length === 0) throw empty(name, kind);
      if (length > longestText) throw tooLong(name);
      const cleaned = sections.map(clean);
      if (storedBytes(cleaned) > mostStored) throw tooLong(name, "or leave out rows or entries");
      const named = source.type === "url" && title ? title : name;
      return { name: plain(named.slice(0, 500)), kind, source: url, sections: cleaned, size: content.size };
    },
  };
}

interface Content {
  size: number;
  text(): Promise<string>;
  bytes(): Promise<Uint8Array>;
}

interface Opened extends Pick<SourceDocument, "name" | "kind"> {
  url: string;
  content: Content;
}

async function contentOf(
  source: IngestSource,
  callFunction: Host["callFunction"],
  signal: AbortSignal,
): Promise<Opened> {
  switch (source.type) {
    case "paste": {
      const kind = sourceKind(source.name, "", source.text) ?? "text";
      return {
        name: source.name.trim() || "Pasted text",
        kind,
        url: "",
        content: contentOfBlob(new Blob([source.text])),
      };
    }
    case "file": {
      const { name, blob } = source;
      if (blob.size > largestFile) throw tooLarge(name, blob.size);
      const start = startOf(new Uint8Array(await blob.slice(0, 4_096).arrayBuffer()));
      const kind = sourceKind(name, blob.type, start);
      if (kind === null) throw unknownKind(name);
      return { name, kind, url: "", content: contentOfBlob(blob) };
    }
    case "url": {
      const page = await fetchPage(source.url, callFunction, signal);
      const kind = sourceKind(new URL(page.url).pathname, page.contentType, page.body) ?? "text";
      return { name: page.url, kind, url: page.url, content: contentOfBlob(new Blob([page.body])) };
    }
    default:
      return source satisfies never;
  }
}

/** The beginning of a file, with the marks of what is no text in any encoding that says which it is. */
function startOf(bytes: Uint8Array): string {
  return isMarkedUtf16(bytes) ? decodeText(bytes) : new TextDecoder().decode(bytes);
}

function contentOfBlob(blob: Blob): Content {
  return {
    size: blob.size,
    text: async () => decodeText(new Uint8Array(await blob.arrayBuffer())),
    bytes: async () => new Uint8Array(await blob.arrayBuffer()),
  };
}

/** Postgres takes no NUL in a text, and no half of a character that has two. */
function plain(text: string): string {
  return text
    .replaceAll("\0", "")
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .replace(/\r\n?/g, "\n");
}

function clean(section: DocumentSection): DocumentSection {
  return { ...section, headings: section.headings.map(plain), text: plain(section.text) };
}

/** About what the database gets to keep; counted exactly only near the limit, since counting writes all of it. */
function storedBytes(sections: readonly DocumentSection[]): number {
  const headings = (section: DocumentSection) => section.headings.reduce((sum, { length }) => sum + length, 0);
  const least = sections.reduce((sum, section) => sum + 30 + section.text.length + headings(section), 0);
  if (least * 4 < mostStored || least > mostStored) return least;
  return new TextEncoder().encode(JSON.stringify(sections)).length;
}

function empty(name: string, kind: DocumentKind): ServiceError {
  const hint =
    kind === "html"
      ? "Its words may be made by scripts, which are not run. Save the page as it is shown, or paste its text."
      : "Add a file or a page that has words in it.";
  return new ServiceError("invalid", `"${name}" contains no text.`, hint);
}

function unknownKind(name: string): ServiceError {
  const hint = "Text, Markdown, HTML, CSV, JSON and PDF can be read. Save it as one of these, or paste its text.";
  return new ServiceError("invalid", `"${name}" is a kind of file that cannot be read.`, hint);
}
