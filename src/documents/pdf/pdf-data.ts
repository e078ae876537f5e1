/**
 * Fonts and maps of characters that a PDF may name without holding them, and decoders of pictures: files of pdf.js, by name, which the site
 * serves itself.
 */
const files = import.meta.glob<string>(
  [
    "/node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}",
    "/node_modules/pdfjs-dist/cmaps/*.bcmap",
    "/node_modules/pdfjs-dist/wasm/*.wasm",
  ],
  { query: "?url", import: "default", eager: true },
);

const addresses = new Map(Object.entries(files).map(([path, url]) => [path.split("/").at(-1), url]));

/** Gives pdf.js its files; it makes one itself. Nothing else is fetched for a document. */
export class PdfData {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const url = addresses.get(filename);
    const response = url === undefined ? undefined : await fetch(url);
    if (!response?.ok) throw new Error(`"${filename}" is not there.`);
    return new Uint8Array(await response.arrayBuffer());
  }
}
