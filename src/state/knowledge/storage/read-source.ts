import { visibleName } from "../../../engine/text/visible-name.ts";
import type { Host } from "../../../engine/host.ts";
import { DocumentError } from "../../../documents/document-error.ts";
import { kindOf } from "../../../documents/file-kind.ts";
import { documentIn } from "../../../documents/documents.ts";
import { maxTextLength } from "../../../documents/limits.ts";
import { sourceKind } from "../../../documents/source-kind.ts";
import type { Documents } from "../../../engine/file/documents.ts";
import type { DocumentKind, DocumentSection, SourceDocument } from "../../../engine/knowledge/source-document.ts";
import type { IngestSource, SourceReader } from "../../../services/knowledge.ts";
import { ServiceError } from "../../../services/services.ts";
import { fetchPage } from "./fetch-page.ts";
import { largestFile, mostStored, tooLarge, tooLong } from "./source-limits.ts";

/** Turns files, pages and pasted text into documents. */
export function createSourceReader(callFunction: Host["callFunction"], documents: Documents): SourceReader {
  return {
    async read(source, signal) {
      const opened = await contentOf(source, callFunction, signal);
      const { name, kind, url, blob } = opened;
      const { sections, title } = await readAs(opened, documents, signal);
      signal.throwIfAborted();
      const length = sections.reduce((sum, section) => sum + section.text.length, 0);
      if (length === 0) throw empty(name, kind);
      if (length > maxTextLength) throw tooLong(name);
      const cleaned = sections.map(clean);
      if (storedBytes(cleaned) > mostStored) throw tooLong(name, "or leave out rows or entries");
      const named = source.type === "url" && title ? title : name;
      return {
        name: visibleName(plain(named.slice(0, 500))),
        kind,
        source: url,
        sections: cleaned,
        size: blob.size,
      };
    },
  };
}

interface Opened extends Pick<SourceDocument, "name" | "kind"> {
  url: string;
  blob: Blob;
}

async function readAs({ name, kind, blob }: Opened, documents: Documents, signal: AbortSignal) {
  const file = { name, mediaType: blob.type, bytes: new Uint8Array(await blob.arrayBuffer()) };
  try {
    return documentIn(await documents({ do: "read", file, kind }, signal));
  } catch (error) {
    throw error instanceof DocumentError ? new ServiceError("invalid", error.message, error.hint) : error;
  }
}

async function contentOf(
  source: IngestSource,
  callFunction: Host["callFunction"],
  signal: AbortSignal,
): Promise<Opened> {
  switch (source.type) {
    case "paste": {
      const kind = sourceKind(source.name, "", source.text) ?? "text";
      return { name: source.name.trim() || "Pasted text", kind, url: "", blob: new Blob([source.text]) };
    }
    case "file": {
      const { name, blob } = source;
      if (blob.size > largestFile) throw tooLarge(name, blob.size);
      return { name, kind: await kindOfFile(name, blob), url: "", blob };
    }
    case "url": {
      const page = await fetchPage(source.url, callFunction, signal);
      const kind = sourceKind(new URL(page.url).pathname, page.contentType, page.body) ?? "text";
      return { name: page.url, kind, url: page.url, blob: new Blob([page.body]) };
    }
    default:
      return source satisfies never;
  }
}

async function kindOfFile(name: string, blob: Blob): Promise<DocumentKind> {
  try {
    return kindOf({ name, mediaType: blob.type, bytes: new Uint8Array(await blob.arrayBuffer()) });
  } catch (error) {
    throw error instanceof DocumentError ? new ServiceError("invalid", error.message, error.hint) : error;
  }
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
