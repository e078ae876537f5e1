import type { PDFPageProxy } from "pdfjs-dist";
import { maxPixels } from "../limits.ts";
import { pagePicture } from "../scan/page-picture.ts";
import type { ScanPicture } from "../scan/scan-reader.ts";
import type { OpenPdf } from "./use-pdf.ts";

/** Dots per inch in which pages are drawn. */
export const scanDpi = 200;
/** Points in an inch, the unit of PDFs. */
export const pointsPerInch = 72;

/** Pictures of pages, by their numbers; of none that is empty. */
export async function drawPages({ pdf, check }: OpenPdf, pages: readonly number[]): Promise<Map<number, ScanPicture>> {
  const canvases = pdf.canvasFactory as CanvasFactory;
  const pictures = new Map<number, ScanPicture>();
  for (const number of pages) {
    check();
    const page = await pdf.getPage(number);
    const picture = await drawPage(page, canvases, check);
    if (picture) pictures.set(number, picture);
    page.cleanup();
  }
  return pictures;
}

/** pdf.js's own, of a page or of Node. */
interface CanvasFactory {
  create(width: number, height: number): DrawnCanvas;
  destroy(drawn: DrawnCanvas): void;
}

interface DrawnCanvas {
  canvas: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
}

async function drawPage(page: PDFPageProxy, canvases: CanvasFactory, check: () => void): Promise<ScanPicture | null> {
  const whole = page.getViewport({ scale: scanDpi / pointsPerInch });
  const smaller = Math.min(1, Math.sqrt(maxPixels / (whole.width * whole.height)));
  const viewport = page.getViewport({ scale: (smaller * scanDpi) / pointsPerInch });
  const width = Math.max(1, Math.floor(viewport.width));
  const height = Math.max(1, Math.floor(viewport.height));
  const drawn = canvases.create(width, height);
  try {
    const { canvas, context: canvasContext } = drawn;
    // Drawn for paper, pages do not wait for the screen, which stands still while the tab is out of sight.
    const drawing = page.render({ canvas, canvasContext, viewport, intent: "print", background: "#ffffff" });
    drawing.onContinue = (goOn: () => void) => {
      setTimeout(() => {
        try {
          check();
          goOn();
        } catch {
          drawing.cancel();
        }
      });
    };
    await drawing.promise.catch((error: unknown) => {
      check();
      throw error;
    });
    return pagePicture(canvasContext.getImageData(0, 0, width, height), scanDpi * smaller);
  } finally {
    canvases.destroy(drawn);
  }
}
