import type { NamedBytes } from "../engine/file/documents.ts";
import type { DocumentSection } from "../engine/knowledge/source-document.ts";
import type { DrawnKind } from "./drawn-kind.ts";
import { type PdfParts, readPdf } from "./pdf/read-pdf.ts";
import { readPicture } from "./scan/read-picture.ts";
import type { OpenScans } from "./scan/scan-reader.ts";

/** How they are read. */
export interface PageParts extends PdfParts {
  openScans: OpenScans;
}

/** The text of a PDF or a picture. Rejects with a DocumentError for what has none, cannot be read or takes too much. */
export async function readPages(
  kind: DrawnKind,
  file: NamedBytes,
  signal: AbortSignal,
  parts: PageParts,
): Promise<DocumentSection[]> {
  return kind === "pdf" ? readPdf(file.bytes, signal, parts) : readPicture(file, signal, parts.openScans);
}
