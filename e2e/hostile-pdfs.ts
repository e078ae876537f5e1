import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";

const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const words = "BT /F1 12 Tf 60 780 Td (Some words) Tj ET";

const stream = (content: Buffer | string, entries = ""): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
};

/** A PDF of these objects, the first of which is the catalog, with a table that is right unless `trailer` says otherwise. */
function pdfOf(objects: readonly (Buffer | string)[], trailer = ""): Buffer {
  const pieces = [Buffer.from("%PDF-1.7\n")];
  let length = pieces[0]?.length ?? 0;
  const add = (piece: Buffer | string): void => {
    const bytes = Buffer.from(piece);
    pieces.push(bytes);
    length += bytes.length;
  };
  const offsets = objects.map((object, index) => {
    const offset = length;
    add(`${index + 1} 0 obj\n`);
    add(object);
    add("\nendobj\n");
    return offset;
  });
  const start = length;
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) add(`${String(offset).padStart(10, "0")} 00000 n \n`);
  add(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer.replace("START", String(start))} >>\n`);
  add(`startxref\n${start}\n%%EOF\n`);
  return Buffer.concat(pieces);
}

/** One page with this content; `more` begins at object 6. */
const onePage = (content: Buffer | string, more: readonly (Buffer | string)[] = [], resources = "", useFont = font) =>
  pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> ${resources} >> /Contents 5 0 R >>`,
    useFont,
    content,
    ...more,
  ]);

const pagesOf = (pages: string, ...more: (Buffer | string)[]) =>
  pdfOf(["<< /Type /Catalog /Pages 2 0 R >>", pages, ...more]);

const aPage = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>";

/** Spaces by the hundred megabytes, as few bytes. */
const packed = (megabytes: number, times = 1): Buffer => {
  let bytes: Buffer = Buffer.alloc(megabytes * 1024 * 1024, " ");
  for (let time = 0; time < times; time += 1) bytes = deflateSync(bytes);
  return bytes;
};

const cmap = (ranges: string): Buffer =>
  stream(
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00000000> <ffffffff> endcodespacerange ${ranges} endcmap end end`,
  );
const range = (from: number): string => {
  const hex = (value: number): string => value.toString(16).padStart(8, "0");
  return `1 beginbfrange <${hex(from)}> <${hex(from + 0xfffffe)}> <0041> endbfrange`;
};
const mapped = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>";
/** A form that draws each of the next one ten times. */
const draws = (next: number): Buffer =>
  stream(
    `${"/X Do ".repeat(10)} ${words}`,
    `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 4 0 R >> /XObject << /X ${next} 0 R >> >>`,
  );

/** PDFs that are made to take a reader's time or memory, by what they do. */
export const hostilePdfs = {
  "half a gigabyte of spaces": () => onePage(stream(packed(500), "/Filter /FlateDecode")),
  "a packed file in a packed file": () => onePage(stream(packed(500, 2), "/Filter [/FlateDecode /FlateDecode]")),
  "two hundred times the same large content": () =>
    pdfOf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents [${"4 0 R ".repeat(200)}] >>`,
      stream(packed(100), "/Filter /FlateDecode"),
    ]),
  "a predictor of two thousand million columns": () =>
    onePage(stream(packed(1), "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 2000000000 /Colors 4 >>")),
  "a thousand million pages that are not there": () =>
    pagesOf("<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>", aPage),
  "pages that are their own parents": () => pagesOf("<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"),
  "pages twenty thousand levels deep": () =>
    pagesOf(
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      ...Array.from({ length: 20_000 }, (_, at) => `<< /Type /Pages /Kids [${at + 4} 0 R] /Count 1 >>`),
      aPage,
    ),
  "lists a million deep": () => onePage(stream(words), [`${"[".repeat(1_000_000)}`], "/More 6 0 R"),
  "a table of contents that goes round": () =>
    pdfOf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", aPage], "/Prev START"),
  "a length that is its own stream": () => onePage(Buffer.from(`<< /Length 5 0 R >>\nstream\n${words}\nendstream`)),
  "a form that draws itself": () => onePage(stream(`/X Do ${words}`), [draws(6)], "/XObject << /X 6 0 R >>"),
  "forms ten levels of ten": () =>
    onePage(
      stream(`/X Do ${words}`),
      [
        ...Array.from({ length: 10 }, (_, at) => draws(at + 7)),
        stream(words, "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 4 0 R >> >>"),
      ],
      "/XObject << /X 6 0 R >>",
    ),
  "letters for four thousand million codes": () =>
    onePage(stream(words), [cmap(Array.from({ length: 250 }, (_, at) => range(at * 0x1000000)).join(" "))], "", mapped),
  "letters for sixteen million codes on each of a hundred pages": () =>
    pdfOf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      `<< /Type /Pages /Kids [${Array.from({ length: 100 }, (_, at) => `${at * 3 + 4} 0 R`).join(" ")}] /Count 100 >>`,
      stream(words),
      ...Array.from({ length: 100 }, (_, at) => [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /Font << /F1 ${at * 3 + 5} 0 R >> >> /Contents 3 0 R >>`,
        mapped.replace("6 0 R", `${at * 3 + 6} 0 R`),
        cmap(range(at * 0x1000000)),
      ]).flat(),
    ]),
  "widths for two thousand million letters": () =>
    onePage(
      stream("BT /F1 12 Tf <00410042> Tj ET"),
      [
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Odd /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [0 2000000000 500] /FontDescriptor 7 0 R >>",
        "<< /Type /FontDescriptor /FontName /Odd /Flags 4 >>",
      ],
      "",
      "<< /Type /Font /Subtype /Type0 /BaseFont /Odd /Encoding /Identity-H /DescendantFonts [6 0 R] >>",
    ),
  "a font of half a gigabyte": () =>
    onePage(
      stream(words),
      [
        "<< /Type /FontDescriptor /FontName /Odd /Flags 4 /FontFile2 7 0 R >>",
        stream(packed(500), "/Filter /FlateDecode"),
      ],
      "",
      "<< /Type /Font /Subtype /TrueType /BaseFont /Odd /FirstChar 0 /LastChar 255 /FontDescriptor 6 0 R >>",
    ),
  "a picture as large as a country": () =>
    onePage(
      stream(`/X Do ${words}`),
      [
        stream(
          packed(1),
          "/Type /XObject /Subtype /Image /Width 2000000000 /Height 2000000000 /BitsPerComponent 16 /ColorSpace /DeviceRGB /Filter /FlateDecode",
        ),
      ],
      "/XObject << /X 6 0 R >>",
    ),
  "a picture in the text that does not end": () =>
    onePage(stream(`BI /W 2000000000 /H 2000000000 /BPC 8 /CS /RGB ID ${"x".repeat(3_000_000)}`)),
  "a million pieces of text on one spot": () => onePage(stream(`BT /F1 12 Tf ${"(a) Tj ".repeat(1_000_000)} ET`)),
} satisfies Record<string, () => Buffer>;
