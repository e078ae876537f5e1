import type { TextContent } from "pdfjs-dist/types/src/display/api.js";
import type { DocumentSection } from "../../engine/knowledge/source-document.ts";
import { maxTextLength } from "../../engine/knowledge/storable-document.ts";
import { DocumentError } from "../document-error.ts";
import type { OpenScans, ScanReader } from "../scan/scan-reader.ts";
import { type PdfPage, type PdfText, pdfSections } from "./pdf-sections.ts";
import { recognizePages } from "./recognize-pages.ts";
import { type OpenPdf, type PdfLimits, usePdf } from "./use-pdf.ts";

/** How PDFs are read. */
export interface PdfParts extends PdfLimits {
  /** Characters of its text. */
  longestPdfText?: number;
  /** Text recognition for pages that are pictures; without it only text is read. */
  openScans?: OpenScans;
}

const slowPageMs = 500;

/**
 * The text of a PDF by pdf.js; that of pages which are pictures by text recognition, where it is installed. Rejects with a
 * DocumentError for what has no text, is no PDF or takes too much.
 */
export async function readPdf(bytes: Uint8Array, signal: AbortSignal, parts: PdfParts): Promise<DocumentSection[]> {
  const { openScans, longestPdfText = maxTextLength } = parts;
  // pdf.js takes what it reads for itself.
  const kept = openScans && bytes.slice();
  const pages = await usePdf(bytes, signal, parts, (open) => readPages(open, longestPdfText));
  const scanned = pages.filter(isPicture).map(({ page }) => page);
  if (scanned.length === 0) return pdfSections(pages);
  const isScan = scanned.length === pages.length;
  const scans = openScans && kept ? await openedScans(openScans, isScan ? pages.length : null) : null;
  if (!scans || !kept) {
    if (isScan) throw noText(pages.length, "Run text recognition (OCR) over the PDF first, then add it again.");
    return pdfSections(pages);
  }
  const recognized = await recognizePages(kept, scanned, signal, { ...parts, scans });
  const sections = pdfSections(pages.map((page) => recognized.get(page.page) ?? page));
  if (sections.length === 0) {
    const hint =
      "Scan it again with 200 to 300 dots per inch, upright, and install its language: `npm run ocr -- --help` says how.";
    throw new DocumentError("No text was recognized in the PDF.", hint);
  }
  return sections;
}

/** Null where they are not installed and the PDF has text besides. Rejects with a DocumentError for one of `scans` pages without any. */
async function openedScans(open: OpenScans, scans: number | null): Promise<ScanReader | null> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (scans !== null) throw noText(scans, `${error.message} ${error.hint}`);
    return null;
  }
}

const isPicture = ({ items }: PdfPage) => items.every(({ str }) => str.trim() === "");

/** The texts of all pages, a piece at a time, so that one page of endless text is left before it fills the memory. */
async function readPages({ pdf, check }: OpenPdf, longestPdfText: number): Promise<PdfPage[]> {
  const pages: PdfPage[] = [];
  let length = 0;
  for (let page = 1; page <= pdf.numPages; page += 1) {
    check();
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
    check();
    // Fonts are kept from page to page: what one of them makes of a few bytes may be a hundred megabytes.
    if (performance.now() - started > slowPageMs) await pdf.cleanup();
  }
  return pages;
}

function tooMuchText(most: number): DocumentError {
  const message = `The PDF has more than ${most.toLocaleString("en")} characters of text.`;
  return new DocumentError(message, "Split it into several files.");
}

function noText(pages: number, hint: string): DocumentError {
  const what = pages === 1 ? "Its page is a picture" : `Its ${pages} pages are pictures`;
  return new DocumentError(`The PDF has no text. ${what}, as in a scan.`, hint);
}
