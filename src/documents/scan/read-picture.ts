import type { NamedBytes } from "../../engine/file/documents.ts";
import type { DocumentSection } from "../../engine/knowledge/source-document.ts";
import { DocumentError } from "../document-error.ts";
import { maxPixels } from "../limits.ts";
import { pictureFacts } from "./picture-facts.ts";
import { scanText } from "./scan-lines.ts";
import type { OpenScans } from "./scan-reader.ts";

/** The text on a photo or a scan. Rejects with a DocumentError for what has none or cannot be read. */
export async function readPicture(
  { name, bytes }: NamedBytes,
  signal: AbortSignal,
  open: OpenScans,
): Promise<DocumentSection[]> {
  const facts = pictureFacts(bytes);
  if (!facts) {
    throw new DocumentError(`"${name}" is not a picture that can be read.`, "Save it as PNG, JPEG, WebP or GIF.");
  }
  if (facts.width * facts.height > maxPixels) {
    const message = `The picture has more than ${maxPixels / 1e6} million pixels.`;
    throw new DocumentError(message, "Save it smaller, or cut it into several pictures.");
  }
  const reader = await open();
  const text = scanText(await reader.read({ bytes, orientation: facts.orientation }, signal));
  if (text === "") {
    const hint = "Take it again straight from above, in good light, with letters at least 20 pixels high.";
    throw new DocumentError("No text was recognized in the picture.", hint);
  }
  return [{ headings: [], text }];
}
