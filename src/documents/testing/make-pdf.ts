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
