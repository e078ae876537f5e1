import { openPackage } from "./office-package.ts";
import { type ReadPage, readHtmlBody } from "./read-html.ts";
import { repack } from "../unpack.ts";

/** The text of a Word document by mammoth, a section per heading. */
export async function readDocx(bytes: Uint8Array): Promise<ReadPage> {
  const { files } = openPackage(bytes, "word/document.xml", "a Word document");
  const { convertToHtml, images } = (await import("mammoth/mammoth.browser.js")).default;
  // Pictures would be written into the text as long addresses.
  const convertImage = images.imgElement(() => Promise.resolve({ src: "" }));
  const { value } = await convertToHtml({ arrayBuffer: repack(files).buffer }, { convertImage });
  return readHtmlBody(value);
}
