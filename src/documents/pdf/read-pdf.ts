import type { PDFDocumentProxy } from "pdfjs-dist";
import type { TextContent } from "pdfjs-dist/types/src/display/api.js";
import type { DocumentSection } from "../../engine/knowledge/source-document.ts";
import { DocumentError } from "../document-error.ts";
import { maxTextLength } from "../../engine/knowledge/storable-document.ts";
import { type PdfPage, type PdfText, pdfSections } from "./pdf-sections.ts";
import { unpacksToTooMuch, watchPdfWorker } from "./watch-pdf-worker.ts";

/** What pdf.js works in, and what it may take. */
export interface PdfParts {
  /** A worker that runs pdf.js; absent in Node, where it runs in the same thread. */
  startWorker?(): Worker;
  /** Milliseconds for the whole file. */
  pdfDeadlineMs?: number;
  /** Milliseconds that the worker may be busy with one thing. */
  longestSilenceMs?: number;
  /** Characters of its text. */
  longestPdfText?: number;
  /** Whether the file unpacked to too much, where it is read in the same thread. */
  isMemoryOver?(): boolean;
}

const usualDeadlineMs = 120_000;
const slowPageMs = 500;

/**
 * The text of a PDF by pdf.js, read in its worker, which is ended at the deadline whatever it does. Rejects with a
 * DocumentError for what has no text, is no PDF or takes too much.
 */
export async function readPdf(bytes: Uint8Array, signal: AbortSignal, parts: PdfParts): Promise<DocumentSection[]> {
  const { getDocument, PDFWorker, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  signal.throwIfAborted();
  const { pdfDeadlineMs = usualDeadlineMs, longestPdfText = maxTextLength } = parts;
  const port = parts.startWorker?.();
  const watch = port && watchPdfWorker(port, parts.longestSilenceMs);
  // No eval: the site's policy forbids it. Fonts are not drawn here, so none is loaded.
  const loading = getDocument({
    data: bytes,
    ...(port ? { worker: PDFWorker.create({ port }) } : {}),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  const until = performance.now() + pdfDeadlineMs;
  // Where pdf.js runs in the same thread no timer and no signal comes in between.
  const checkTime = () => {
    signal.throwIfAborted();
    if (parts.isMemoryOver?.()) throw unpacksToTooMuch();
    if (performance.now() > until) throw tooSlow(pdfDeadlineMs);
  };
  let stop = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    timer = setTimeout(() => reject(tooSlow(pdfDeadlineMs)), pdfDeadlineMs);
    watch?.failed.catch(reject);
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    const pdf = await Promise.race([loading.promise, ended]);
    const pages = await Promise.race([readPages(pdf, { checkTime, longestPdfText }), ended]);
    const sections = pdfSections(pages);
    if (sections.length === 0) throw noText(pages.length);
    return sections;
  } catch (error) {
    signal.throwIfAborted();
    if (parts.isMemoryOver?.()) throw unpacksToTooMuch();
    throw error instanceof DocumentError ? error : unreadable(error);
  } finally {
    clearTimeout(timer);
    watch?.end();
    signal.removeEventListener("abort", stop);
    // Not waited for: a worker that hangs would never say that it has let go.
    loading.destroy().catch(() => undefined);
    port?.terminate();
  }
}

/** The texts of all pages, a piece at a time, so that one page of endless text is left before it fills the memory. */
async function readPages(
  pdf: PDFDocumentProxy,
  { checkTime, longestPdfText }: { checkTime: () => void; longestPdfText: number },
): Promise<PdfPage[]> {
  const pages: PdfPage[] = [];
  let length = 0;
  for (let page = 1; page <= pdf.numPages; page += 1) {
    checkTime();
    const started = performance.now();
    const reader = (await pdf.getPage(page)).streamTextContent().getReader();
    const items: PdfText[] = [];
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const { items: found } = part.value as TextContent;
      for (const item of found) {
        if (!("str" in item)) continue;
        // A piece without letters takes room as well.
        length += item.str.length + 1;
        items.push(item);
      }
      if (length > longestPdfText) throw tooMuchText(longestPdfText);
    }
    pages.push({ page, items });
    checkTime();
    // Fonts are kept from page to page: what one of them makes of a few bytes may be a hundred megabytes.
    if (performance.now() - started > slowPageMs) await pdf.cleanup();
  }
  return pages;
}

function tooSlow(deadlineMs: number): DocumentError {
  const hint = "Split it into several files, or save it again in a viewer, which often makes it simpler.";
  return new DocumentError(`Reading the PDF took longer than ${deadlineMs / 1_000} s and was stopped.`, hint);
}

function tooMuchText(most: number): DocumentError {
  const message = `The PDF has more than ${most.toLocaleString("en")} characters of text.`;
  return new DocumentError(message, "Split it into several files.");
}

function noText(pages: number): DocumentError {
  const what = pages === 1 ? "Its page is a picture" : `Its ${pages} pages are pictures`;
  const hint = "Run text recognition (OCR) over the PDF first, then add it again.";
  return new DocumentError(`The PDF has no text. ${what}, as in a scan.`, hint);
}

function unreadable(error: unknown): DocumentError {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") {
    return new DocumentError("The PDF is protected by a password.", "Save it without the password first.");
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new DocumentError(`The PDF cannot be read: ${reason}`, "Open it in a viewer and save it again.");
}
