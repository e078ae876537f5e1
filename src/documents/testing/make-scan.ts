import { zlibSync } from "fflate";
import { drawPages } from "../pdf/draw-pages.ts";
import { usePdf } from "../pdf/use-pdf.ts";

/** A page in grey, row by row, from 0 for black to 255. */
export interface GreyPage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

interface Wear {
  degrees: number;
  /** By how much a pixel is lighter or darker at most. */
  noise: number;
}

/** The pages of a PDF as a scanner gives them at 200 dpi: a little askew, and with noise that is the same each time. */
export async function scanPages(pdf: Uint8Array, wear: Wear = { degrees: 0, noise: 0 }): Promise<GreyPage[]> {
  const drawn = await usePdf(pdf, new AbortController().signal, {}, (open) =>
    drawPages(
      open,
      Array.from({ length: open.pdf.numPages }, (_, index) => index + 1),
    ),
  );
  return [...drawn.values()].map(({ bytes }) => wornPage(readPgm(bytes), wear));
}

/** A PDF whose pages are nothing but these pictures, at 200 dpi. */
export function scannedPdf(pages: readonly GreyPage[]): Uint8Array<ArrayBuffer> {
  const objects: Uint8Array[] = [];
  const text = (value: string) => new TextEncoder().encode(value);
  const stream = (entries: string, content: Uint8Array) =>
    joined([text(`<< ${entries} /Length ${content.length} >>\nstream\n`), content, text("\nendstream")]);
  const kids = pages.map((_, index) => `${3 + index * 3} 0 R`).join(" ");
  objects.push(text("<< /Type /Catalog /Pages 2 0 R >>"));
  objects.push(text(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`));
  pages.forEach(({ width, height, pixels }, index) => {
    const own = 3 + index * 3;
    const [across, up] = [width, height].map((dots) => ((dots * 72) / 200).toFixed(2));
    objects.push(
      text(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${across} ${up}] /Resources << /XObject << /I ${own + 2} 0 R >> >> /Contents ${own + 1} 0 R >>`,
      ),
    );
    objects.push(stream("", text(`${across} 0 0 ${up} 0 0 cm /I Do`)));
    const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`;
    objects.push(stream(entries, zlibSync(pixels, { level: 1 })));
  });
  let length = 0;
  const parts = [text("%PDF-1.4\n")];
  length += parts[0]?.length ?? 0;
  const offsets = objects.map((object, index) => {
    const offset = length;
    const whole = joined([text(`${index + 1} 0 obj\n`), object, text("\nendobj\n")]);
    parts.push(whole);
    length += whole.length;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  parts.push(
    text(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return joined(parts);
}

/** A page as a PGM file. */
export function pgmOf({ width, height, pixels }: GreyPage): Uint8Array<ArrayBuffer> {
  return joined([new TextEncoder().encode(`P5\n${width} ${height}\n255\n`), pixels]);
}

/** A page as a PNG file. */
export function pngOf({ width, height, pixels }: GreyPage): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array((width + 1) * height);
  for (let row = 0; row < height; row += 1) {
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 8;
  return joined([
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngPart("IHDR", header),
    pngPart("IDAT", zlibSync(rows, { level: 1 })),
    pngPart("IEND", new Uint8Array()),
  ]);
}

function pngPart(name: string, content: Uint8Array): Uint8Array {
  const part = new Uint8Array(content.length + 12);
  const view = new DataView(part.buffer);
  view.setUint32(0, content.length);
  part.set(new TextEncoder().encode(name), 4);
  part.set(content, 8);
  view.setUint32(content.length + 8, crc32(part.subarray(4, content.length + 8)));
  return part;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function readPgm(bytes: Uint8Array): GreyPage {
  const [, width = "0", height = "0"] =
    /^P5\n(\d+) (\d+)\n255\n/.exec(new TextDecoder("latin1").decode(bytes.subarray(0, 40))) ?? [];
  const size = Number(width) * Number(height);
  return { width: Number(width), height: Number(height), pixels: bytes.subarray(bytes.length - size) };
}

/** A page that lay askew, turned around its middle, with noise that is the same each time. */
export function wornPage({ width, height, pixels }: GreyPage, { degrees, noise }: Wear): GreyPage {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const at = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 255 : (pixels[y * width + x] ?? 255);
  const out = new Uint8ClampedArray(width * height);
  let state = 1;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [dx, dy] = [x - width / 2, y - height / 2];
      const [fromX, fromY] = [cos * dx + sin * dy + width / 2, cos * dy - sin * dx + height / 2];
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      const [right, down] = [fromX - left, fromY - top];
      const upper = at(left, top) * (1 - right) + at(left + 1, top) * right;
      const lower = at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right;
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      out[y * width + x] = upper * (1 - down) + lower * down + ((state >> 16) / 0x3fff - 1) * noise;
    }
  }
  return { width, height, pixels: new Uint8Array(out.buffer) };
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
