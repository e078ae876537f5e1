import { strToU8, zipSync } from "fflate";

/** An archive of texts by their paths. */
export function packed(parts: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const relations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A small Word document with this body. */
export function docx(body: string, doctype = ""): Uint8Array {
  const main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
  return packed({
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    "_rels/.rels": `<Relationships ${relations}><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `<?xml version="1.0"?>${doctype}<w:document ${word}><w:body>${body}</w:body></w:document>`,
    "word/styles.xml": `<w:styles ${word}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
  });
}

/** A paragraph of Word, of a style. */
export function paragraph(text: string, style = ""): string {
  const properties = style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** A presentation of slides, each of shapes; the first slide has a note of its speaker. */
export function pptx(slides: readonly string[], notes: string): Uint8Array {
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index}"/>`).join("");
  // The last file is shown first: its number says nothing of the order.
  const file = (index: number) => `slides/slide${slides.length - index}.xml`;
  const targets = slides.map((_, index) => `<Relationship Id="s${index}" Target="${file(index)}"/>`).join("");
  return packed({
    "ppt/presentation.xml": `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": `<Relationships ${relations}>${targets}</Relationships>`,
    ...Object.fromEntries(slides.map((slide, index) => [`ppt/${file(index)}`, `<p:sld>${slide}</p:sld>`])),
    [`ppt/${file(0).replace("slides/", "slides/_rels/")}.rels`]: `<Relationships ${relations}><Relationship Id="n" Target="../notesSlides/notesSlide1.xml"/></Relationships>`,
    "ppt/notesSlides/notesSlide1.xml": `<p:notes>${shape("body", notes)}${shape("sldNum", "1")}</p:notes>`,
  });
}

/** A shape of a slide. */
export function shape(type: string, ...lines: string[]): string {
  const text = lines.map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join("");
  return `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${text}</p:txBody></p:sp>`;
}

/** A sheet of Excel by the XML of its rows. */
export function xlsx(rows: string): Uint8Array {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  return packed({
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    "xl/workbook.xml": `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="Far" sheetId="1" r:id="r1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships ${relations}><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
  });
}

/** An OpenDocument file with this body. */
export const openDocument = (type: "text" | "spreadsheet", body: string) =>
  packed({
    mimetype: `application/vnd.oasis.opendocument.${type}`,
    "content.xml": `<office:document-content><office:body><office:${type}>${body}</office:${type}></office:body></office:document-content>`,
  });
