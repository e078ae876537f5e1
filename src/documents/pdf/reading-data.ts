/**
 * Gives pdf.js its files while it reads a PDF in a browser: maps of characters, and decoders of pictures for pages whose text is
 * recognized. Fonts are not drawn, so none is loaded. What is never asked for is not loaded either.
 */
export class ReadingData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind === "standardFontDataUrl") throw new Error(`"${filename}" is not needed to read.`);
    const { PdfData } = await import("./pdf-data.ts");
    return await new PdfData().fetch({ filename });
  }
}
