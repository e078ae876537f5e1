import type { Host } from "../../engine/host.ts";
import type { DocumentKind, DocumentSection, SourceDocument } from "../../engine/knowledge/source-document.ts";
import type { IngestSource, SourceReader } from "../../stores/knowledge-services.ts";
import { ServiceError } from "../../stores/services.ts";
import { fetchPage } from "./fetch-page.ts";
import type { PdfParts } from "./readers/read-pdf.ts";
import { readText } from "./readers/read-text.ts";
import { sourceKind } from "./source-kind.ts";

/** Bytes of one file. */
const largestFile = 50 * 1024 * 1024;
/** Characters of one document's text; some 4,000 pages. */
const longestText = 10_000_000;

/** Turns files, pages and pasted text into documents. Each format's reader is loaded with its first document. */
export function createSourceReader(callFunction: Host["callFunction"], pdf: PdfParts): SourceReader {
  async function sectionsOf(kind: DocumentKind, content: Content, signal: AbortSignal): Promise<ReadSections> {
    switch (kind) {
      case "text":
        return { sections: readText(await content.text()) };
      case "markdown":
        return { sections: (await import("./readers/read-markdown.ts")).readMarkdown(await content.text()) };
      case "html":
        return (await import("./readers/read-html.ts")).readHtml(await content.text());
      case "csv":
        return { sections: (await import("./readers/read-csv.ts")).readCsv(await content.text()) };
      case "json":
        return { sections: (await import("./readers/read-json.ts")).readJson(await content.text()) };
      case "pdf": {
        const { readPdf } = await import("./readers/read-pdf.ts");
        return { sections: await readPdf(await content.bytes(), signal, pdf) };
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
      if (length === 0) throw empty(name);
      if (length > longestText) throw tooLong(name);
      const named = source.type === "url" && title ? title : name;
      return { name: named.slice(0, 500), kind, source: url, sections: sections.map(clean), size: content.size };
    },
  };
}

interface ReadSections {
  sections: DocumentSection[];
  title?: string;
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
      const start = await blob.slice(0, 4_096).text();
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

function contentOfBlob(blob: Blob): Content {
  return {
    size: blob.size,
    text: async () => decode(new Uint8Array(await blob.arrayBuffer())),
    bytes: async () => new Uint8Array(await blob.arrayBuffer()),
  };
}

/** UTF-8 or UTF-16 by its mark; what is no UTF-8 is most likely Western European. */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Postgres takes no NUL in a text. */
function clean(section: DocumentSection): DocumentSection {
  const plain = (text: string) => text.replaceAll("\0", "").replace(/\r\n?/g, "\n");
  return { ...section, headings: section.headings.map(plain), text: plain(section.text) };
}

function empty(name: string): ServiceError {
  return new ServiceError("invalid", `"${name}" has no text.`, "Add a file or a page that has words in it.");
}

function tooLong(name: string): ServiceError {
  const hint = "Split it into several documents of at most 10 million characters.";
  return new ServiceError("invalid", `"${name}" is too long.`, hint);
}

function tooLarge(name: string, size: number): ServiceError {
  const megabytes = Math.ceil(size / 1024 / 1024);
  return new ServiceError(
    "invalid",
    `"${name}" has ${megabytes} MB; a file may have 50 MB.`,
    "Split it, or add its text.",
  );
}

function unknownKind(name: string): ServiceError {
  const hint = "Text, Markdown, HTML, CSV, JSON and PDF can be read. Save it as one of these, or paste its text.";
  return new ServiceError("invalid", `"${name}" is of a kind that cannot be read.`, hint);
}
