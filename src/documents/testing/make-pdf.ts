/** A line of a page: its words and the size in points that they are set in. */
interface PdfLine {
  text: string;
  size: number;
}

/** A small PDF 1.4 with these pages, set in Helvetica, uncompressed, for tests of what reads PDFs. */
export function makePdf(pages: readonly (readonly PdfLine[])[]): Uint8Array<ArrayBuffer> {
  const pageNumber = (index: number) => 4 + index * 2;
  const kids = pages.map((_, index) => `${pageNumber(index)} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((lines, index) => {
      const content = contentOf(lines);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${
          pageNumber(index) + 1
        } 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return pdfOf(objects);
}

/**
 * A PDF of one page whose text is set in a font that it only names, by a map of characters that it only names too, such as
 * `UniGB-UCS2-H` of `GB1`. `codes` are the bytes of the text, in hexadecimal.
 */
export function makeMappedPdf(map: string, ordering: string, codes: string): Uint8Array<ArrayBuffer> {
  const content = `BT /F1 12 Tf 1 0 0 1 60 780 Tm <${codes}> Tj ET`;
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [6 0 R] /Count 1 >>",
    `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${map} /DescendantFonts [4 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 5 0 R /DW 1000 >>`,
    "<< /Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /StemV 80 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents 7 0 R >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]);
}

/** A PDF of these objects, the first of which is its catalogue. They are ASCII. */
export function pdfOf(objects: readonly string[]): Uint8Array<ArrayBuffer> {
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const start = file.length;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\n`;
  return new TextEncoder().encode(`${file}startxref\n${start}\n%%EOF\n`);
}

function contentOf(lines: readonly PdfLine[]): string {
  let height = 780;
  return lines
    .map(({ text, size }) => {
      const shown = `BT /F1 ${size} Tf 1 0 0 1 60 ${height} Tm (${text.replace(/[\\()]/g, "\\$&")}) Tj ET`;
      height -= size * 1.5;
      return shown;
    })
    .join("\n");
}
