import { createRequire } from "node:module";
import type { GreyPage } from "../../src/documents/testing/make-scan.ts";

/** What is used of @napi-rs/canvas, which comes with pdf.js. */
interface Canvases {
  GlobalFonts: { registerFromPath(path: string, name: string): unknown };
  createCanvas(width: number, height: number): { getContext(kind: "2d"): CanvasRenderingContext2D };
}

const [width, height] = [1_654, 2_339];
const [margin, lineHeight] = [170, 52];

/** A page of A4 at 200 dpi in a font: PDFs that the studio makes have no Chinese letters. */
export function chinesePage(text: string, font: string): GreyPage {
  const pdfjs = createRequire(import.meta.url).resolve("pdfjs-dist/package.json");
  const { GlobalFonts, createCanvas } = createRequire(pdfjs)("@napi-rs/canvas") as Canvases;
  GlobalFonts.registerFromPath(font, "Chinese");
  const context = createCanvas(width, height).getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.fillStyle = "#000";
  // 11 points.
  context.font = "31px Chinese";
  let y = margin;
  for (const paragraph of text.split("\n\n")) {
    let line = "";
    for (const letter of paragraph) {
      if (context.measureText(line + letter).width > width - 2 * margin) {
        context.fillText(line, margin, y);
        y += lineHeight;
        line = "";
      }
      line += letter;
    }
    context.fillText(line, margin, y);
    y += 2 * lineHeight;
  }
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, pixels: Uint8Array.from({ length: width * height }, (_, index) => data[index * 4] ?? 0) };
}
