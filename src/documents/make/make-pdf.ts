import { DocumentError } from "../document-error.ts";
import { fontLetters } from "./font-letters.ts";
import { type PdfPiece, pdfContent } from "./pdf-content.ts";

export interface MadePdf {
  bytes: Uint8Array;
  notes: string[];
}

const styles = {
  heading1: { fontSize: 20, bold: true, margin: [0, 8, 0, 6] },
  heading2: { fontSize: 16, bold: true, margin: [0, 8, 0, 4] },
  heading3: { fontSize: 13, bold: true, margin: [0, 6, 0, 4] },
  heading4: { fontSize: 11, bold: true, margin: [0, 6, 0, 2] },
  heading5: { fontSize: 10, bold: true, margin: [0, 4, 0, 2] },
  heading6: { fontSize: 10, bold: true, color: "#555555", margin: [0, 4, 0, 2] },
  paragraph: { margin: [0, 0, 0, 6] },
  code: { fontSize: 9, background: "#f3f4f6", margin: [0, 0, 0, 6] },
  inlineCode: { background: "#f3f4f6" },
};

/** Characters of the Markdown of a PDF; some 400 pages. */
const maxPdfLength = 1_000_000;

/**
 * A PDF of A4 pages from Markdown by pdfmake, set in Roboto, which has Latin, Greek and Cyrillic letters. Throws a DocumentError for
 * letters of other scripts; symbols that the font has not, such as emoji, are left out, and a note says so.
 */
export async function makePdf(markdown: string, title: string): Promise<MadePdf> {
  if (markdown.length > maxPdfLength) {
    throw new DocumentError("The text is longer than a million characters.", "Make several PDFs, or HTML.");
  }
  const [{ default: pdfMake }, { default: fonts }] = await Promise.all([
    import("pdfmake/build/pdfmake.js"),
    import("pdfmake/build/vfs_fonts.js"),
  ]);
  pdfMake.addVirtualFileSystem(fonts);
  const { text, left } = shownIn(fontLetters(fonts["Roboto-Regular.ttf"]), markdown);
  const content: PdfPiece[] = pdfContent(text);
  const made = pdfMake.createPdf({
    info: { title },
    pageMargins: [40, 48, 40, 48],
    defaultStyle: { fontSize: 10, lineHeight: 1.25 },
    styles,
    content: content.length > 0 ? content : [{ text: " " }],
    footer: (page: number, pages: number) => ({ text: `${page} / ${pages}`, alignment: "center", fontSize: 8 }),
  });
  const notes = left === 0 ? [] : [`${left} symbols, such as emoji, are not in the PDF: its font does not have them.`];
  return { bytes: new Uint8Array(await made.getBuffer()), notes };
}

function shownIn(letters: ReadonlySet<number>, markdown: string): { text: string; left: number } {
  let left = 0;
  // Composed: the font has accented letters rather than accents.
  const text = markdown.normalize("NFC").replace(/[^\0-\x7f]/gu, (character) => {
    if (letters.has(character.codePointAt(0) ?? 0)) return character;
    if (/\p{L}/u.test(character)) throw noLetters(character);
    if (/\p{Zs}/u.test(character)) return " ";
    if (!/[\p{M}\p{Cf}]/u.test(character)) left += 1;
    return "";
  });
  return { text, left };
}

function noLetters(character: string): DocumentError {
  const message = `A PDF cannot show "${character}": its font has Latin, Greek and Cyrillic letters.`;
  return new DocumentError(message, "Make HTML or Markdown instead, which show every script.");
}
