import type { Host } from "../../../engine/host.ts";
import { DocumentError } from "../../../documents/document-error.ts";
import { kindOf } from "../../../documents/file-kind.ts";
import { documentIn } from "../../../documents/documents.ts";
import { sourceKind } from "../../../documents/source-kind.ts";
import type { Documents } from "../../../engine/file/documents.ts";
import type { DocumentKind, SourceDocument } from "../../../engine/knowledge/source-document.ts";
import { storableDocument } from "../../../engine/knowledge/storable-document.ts";
import type { IngestSource, SourceReader } from "../../../services/knowledge.ts";
import { ServiceError } from "../../../services/services.ts";
import { fetchPage } from "./fetch-page.ts";
import { largestFile, tooLarge } from "./source-limits.ts";

/** Turns files, pages and pasted text into documents. */
export function createSourceReader(callFunction: Host["callFunction"], documents: Documents): SourceReader {
  return {
    async read(source, signal) {
      const opened = await contentOf(source, callFunction, signal);
      const { name, kind, url, blob } = opened;
      const { sections, title, metadata } = await readAs(opened, documents, signal);
      signal.throwIfAborted();
      const named = source.type === "url" && title ? title : name;
      const storable = storableDocument({
        name: named,
        kind,
        source: url,
        sections,
        size: blob.size,
        ...(metadata ? { metadata } : {}),
      });
      if (!storable.ok) throw new ServiceError("invalid", storable.message, storable.hint);
      return storable.document;
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
