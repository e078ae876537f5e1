import type { DocumentAnswer, NamedBytes } from "../engine/file/documents.ts";
import type { DocumentKind } from "../engine/knowledge/source-document.ts";
import { decodeText } from "../engine/text/decode-text.ts";
import { DocumentError } from "./document-error.ts";
import { pictureFacts } from "./scan/picture-facts.ts";
import { isPacked, sourceKind } from "./source-kind.ts";

/** How to read a file: what its name, its type and its bytes say. Throws a DocumentError for what cannot be read. */
export function kindOf({ name, mediaType, bytes }: NamedBytes): DocumentKind {
  if (pictureFacts(bytes)) return "picture";
  const head = bytes.subarray(0, 4_096);
  const raw = new TextDecoder().decode(head);
  // Encodings are guessed of text alone: some make words of any bytes.
  const truncated = head.length < bytes.length;
  const start = isPacked(raw) ? raw : (decodeText(head, { contentType: mediaType, truncated }) ?? raw);
  // The list of its files ends an archive.
  const end = isPacked(raw) ? new TextDecoder("latin1").decode(bytes.subarray(-65_536)) : "";
  const kind = sourceKind(name, mediaType, start, end);
  if (kind) return kind;
  throw unknownKind(name);
}

/** Says of a file that no reader takes it, and what does. */
function unknownKind(name: string): DocumentError {
  const hint =
    "Text, Markdown, HTML, CSV, JSON, XML, PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, emails and pictures (PNG, JPEG, WebP, GIF) can be read. Save Office files of before 2007, and those with a password, as .docx, .xlsx or .pptx without one; unpack an archive.";
  return new DocumentError(`"${name}" is a kind of file that cannot be read.`, hint);
}

/** An error of reading or making as data. */
export function failureOf(error: unknown): DocumentAnswer {
  if (error instanceof DocumentError) return { ok: false, message: error.message, hint: error.hint };
  // Lists in lists in lists go deeper than the stack.
  if (error instanceof RangeError) {
    const hint = "Simplify it, or paste its text as plain text.";
    return { ok: false, message: "The file is nested too deep to be read.", hint };
  }
  const reason = error instanceof Error ? error.message : String(error);
  const hint = "Part of it may be damaged. Save it again.";
  return { ok: false, message: `The file cannot be read: ${reason.replace(/\.$/, "")}.`, hint };
}
