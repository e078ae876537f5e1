import { DocumentError } from "../document-error.ts";
import { maxScannedPages } from "../limits.ts";
import type { ScanPicture, ScanReader } from "../scan/scan-reader.ts";
import { drawPages, pointsPerInch, scanDpi } from "./draw-pages.ts";
import type { PdfPage } from "./pdf-sections.ts";
import { type PdfLimits, usePdf } from "./use-pdf.ts";

/** Pages that are drawn before the file is opened anew, which gives back the memory that their pictures took. */
const pagesAtOnce = 8;
/** Milliseconds that unpacking a picture may take. */
const maxSilenceMs = 20_000;

/** What stands on these pages of a PDF by text recognition, by their numbers. Rejects with a DocumentError for too many. */
export async function recognizePages(
  bytes: Uint8Array,
  pages: readonly number[],
  signal: AbortSignal,
  parts: PdfLimits & { scans: ScanReader },
): Promise<Map<number, PdfPage>> {
  if (pages.length > maxScannedPages) {
    const message = `The PDF has ${pages.length} pages without text; that of at most ${maxScannedPages} is recognized.`;
    throw new DocumentError(message, "Split it into several files.");
  }
  const { scans, ...limits } = parts;
  const recognized = new Map<number, PdfPage>();
  for (let from = 0; from < pages.length; from += pagesAtOnce) {
    const some = pages.slice(from, from + pagesAtOnce);
    const given = { ...limits, maxSilenceMs };
    const pictures = await usePdf(bytes.slice(), signal, given, (open) => drawPages(open, some));
    for (const [page, picture] of pictures) {
      recognized.set(page, await recognizePage(page, picture, signal, scans));
      pictures.delete(page);
    }
  }
  return recognized;
}

async function recognizePage(
  page: number,
  picture: ScanPicture,
  signal: AbortSignal,
  scans: ScanReader,
): Promise<PdfPage> {
  const lines = await scans.read(picture, signal);
  const points = pointsPerInch / (picture.dpi ?? scanDpi);
  const emptyLine = { str: "", hasEOL: true, height: 0 };
  const items = lines.flatMap(({ text, height, endsParagraph }) => {
    const line = { str: text, hasEOL: true, height: height * points };
    return endsParagraph ? [line, emptyLine] : [line];
  });
  return { page, items };
}
