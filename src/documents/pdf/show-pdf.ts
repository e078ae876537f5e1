import type { PDFPageProxy } from "pdfjs-dist";
import type { TextContent } from "pdfjs-dist/types/src/display/api.js";
import type { PageBox } from "../../engine/file/page-box.ts";
import { DocumentError } from "../document-error.ts";
import { maxPixels } from "../limits.ts";
import { PdfData } from "./pdf-data.ts";
import { type PlacedText, textBox } from "./text-box.ts";
import { watchPdfWorker } from "./watch-pdf-worker.ts";

interface PageRange {
  /** Which of the page's texts, from 0. */
  text: number;
  from: number;
  to: number;
}

/** Pixels of a page as it is drawn. */
const maxPagePixels = 8_000_000;
/** Characters of one page. */
const maxPageChars = 500_000;
/** Milliseconds for drawing one page. */
const drawingDeadlineMs = 30_000;

/**
 * Opens a PDF by pdf.js in a worker of its own. Its scripts, links and forms are left out, nothing is fetched for it but files of pdf.js that
 * the site serves, and no font of it reaches the page. Rejects with a DocumentError for what cannot be shown.
 */
export async function showPdf(bytes: Uint8Array) {
  const { AnnotationMode, getDocument, PDFWorker, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const port = new Worker(new URL("./pdf-worker.ts", import.meta.url), { type: "module" });
  const watch = watchPdfWorker(port);
  const loading = getDocument({
    data: bytes,
    worker: PDFWorker.create({ port }),
    BinaryDataFactory: PdfData,
    useWorkerFetch: false,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    maxImageSize: maxPixels,
    verbosity: VerbosityLevel.ERRORS,
  });
  const close = () => {
    watch.end();
    // Not waited for: a worker that hangs would never say that it has let go.
    loading.destroy().catch(() => undefined);
    port.terminate();
  };
  /** What the worker does, as long as it can be let go on. */
  const watched = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await Promise.race([work, watch.failed]);
    } catch (error) {
      if (error instanceof DocumentError) close();
      throw error instanceof DocumentError ? error : cannotShow(error);
    }
  };
  const pdf = await watched(loading.promise).catch((error: unknown) => {
    close();
    throw error;
  });
  const texts = (page: number) => watched(pdf.getPage(page).then(textsOf));
  return {
    pages: pdf.numPages,
    texts,
    async boxes(page: number, ranges: readonly PageRange[]): Promise<PageBox[]> {
      const found = await texts(page);
      const view = (await watched(pdf.getPage(page))).getViewport({ scale: 1 });
      return ranges.flatMap((range) => {
        const text = found[range.text];
        return (text && textBox(text, range, view)) ?? [];
      });
    },
    async draw(number: number, canvas: HTMLCanvasElement, width: number, signal: AbortSignal): Promise<void> {
      const page = await watched(pdf.getPage(number));
      signal.throwIfAborted();
      const size = page.getViewport({ scale: 1 });
      const finest = Math.sqrt(maxPagePixels / (size.width * size.height));
      const viewport = page.getViewport({ scale: Math.min(width / size.width, finest) });
      canvas.width = Math.max(1, Math.floor(viewport.width));
      canvas.height = Math.max(1, Math.floor(viewport.height));
      const drawing = page.render({ canvas, viewport, annotationMode: AnnotationMode.DISABLE });
      const stop = () => drawing.cancel();
      const deadline = setTimeout(stop, drawingDeadlineMs);
      signal.addEventListener("abort", stop, { once: true });
      try {
        await watched(drawing.promise);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        clearTimeout(deadline);
        signal.removeEventListener("abort", stop);
      }
    },
    close,
  };
}

async function textsOf(page: PDFPageProxy): Promise<PlacedText[]> {
  const reader = page.streamTextContent().getReader();
  const texts: PlacedText[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const { items } = part.value as TextContent;
    for (const item of items) {
      if (!("str" in item)) continue;
      length += item.str.length + 1;
      texts.push(item);
    }
    if (length > maxPageChars) break;
  }
  return texts;
}

function cannotShow(error: unknown): DocumentError {
  const name = error instanceof Error ? error.name : "";
  const hint = "Read its text instead.";
  if (name === "PasswordException") return new DocumentError("The PDF is protected by a password.", hint);
  if (name === "RenderingCancelledException") {
    return new DocumentError(
      `Drawing this page took longer than ${drawingDeadlineMs / 1_000} s and was stopped.`,
      hint,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new DocumentError(`The PDF cannot be shown: ${reason}`, hint);
}
