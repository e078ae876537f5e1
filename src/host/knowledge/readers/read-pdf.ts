import type { DocumentSection } from "../../../engine/knowledge/source-document.ts";
import { ServiceError } from "../../../stores/services.ts";
import { type PdfPage, pdfSections } from "./pdf-sections.ts";

/** What pdf.js works in. */
export interface PdfParts {
  /** A worker that runs pdf.js; absent in Node, where it runs in the same thread. */
  startWorker?(): Worker;
}

/** The text of a PDF by pdf.js, read in its worker. Rejects with a ServiceError for what has no text or is no PDF. */
export async function readPdf(bytes: Uint8Array, signal: AbortSignal, parts: PdfParts): Promise<DocumentSection[]> {
  const { getDocument, PDFWorker, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const port = parts.startWorker?.();
  // No eval: the site's policy forbids it. Fonts are not drawn here, so none is loaded.
  const loading = getDocument({
    data: bytes,
    ...(port ? { worker: PDFWorker.create({ port }) } : {}),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  const stop = () => void loading.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const pdf = await loading.promise;
    const pages: PdfPage[] = [];
    for (let page = 1; page <= pdf.numPages; page += 1) {
      signal.throwIfAborted();
      const { items } = await (await pdf.getPage(page)).getTextContent();
      pages.push({ page, items: items.flatMap((item) => ("str" in item ? [item] : [])) });
    }
    const sections = pdfSections(pages);
    if (sections.length === 0) throw noText(pdf.numPages);
    return sections;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ServiceError ? error : unreadable(error);
  } finally {
    signal.removeEventListener("abort", stop);
    await loading.destroy();
    port?.terminate();
  }
}

function noText(pages: number): ServiceError {
  const what = pages === 1 ? "Its page is a picture" : `Its ${pages} pages are pictures`;
  const hint = "Run text recognition (OCR) over the PDF first, then add it again.";
  return new ServiceError("invalid", `The PDF has no text. ${what}, as scanned ones are.`, hint);
}

function unreadable(error: unknown): ServiceError {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") {
    return new ServiceError("invalid", "The PDF is protected by a password.", "Save it without the password first.");
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new ServiceError("invalid", `The PDF cannot be read: ${reason}`, "Open it in a viewer and save it again.");
}
