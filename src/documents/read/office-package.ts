import { decodeText } from "../../engine/text/decode-text.ts";
import { DocumentError } from "../document-error.ts";
import { unpack } from "../unpack.ts";

/** The parts of a document that is a ZIP archive. */
export interface OfficePackage {
  files: ReadonlyMap<string, Uint8Array>;
  /** The text of a part; undefined where there is none of that path. */
  text(path: string): string | undefined;
  /** Paths that match, sorted by the numbers in them. */
  paths(pattern: RegExp): string[];
}

/** Opens a document. Throws a DocumentError for bombs of ZIP or XML, passwords, and files that lack `required`. */
export function openPackage(bytes: Uint8Array, required: string, what: string): OfficePackage {
  const files = unpack(bytes);
  if (!files.has(required)) {
    const hint = "Its name may have the wrong ending, or it is damaged. Open it in its program and save it again.";
    throw new DocumentError(`The file is not ${what}.`, hint);
  }
  for (const [path, part] of files) {
    if (/\.(xml|rels|xhtml|html|opf|ncx)$/i.test(path)) refuseEntities(start(part));
  }
  return {
    files,
    text(path) {
      const part = files.get(path);
      return part && (decodeText(part, { contentType: "application/xml" }) ?? "");
    },
    paths: (pattern) =>
      [...files.keys()].filter((path) => pattern.test(path)).toSorted((a, b) => numberIn(a) - numberIn(b)),
  };
}

/** Refuses a document that defines names for pieces of itself, by which a few lines become gigabytes. */
export function refuseEntities(xml: string): void {
  if (!/<!ENTITY\s/i.test(xml)) return;
  const hint = "Save it again without a document type definition.";
  throw new DocumentError("The XML defines entities, which are not expanded here.", hint);
}

const start = (part: Uint8Array) => new TextDecoder("latin1").decode(part.subarray(0, 65_536)).replaceAll("\0", "");

const numberIn = (path: string) => Number(/(\d+)\.\w+$/.exec(path)?.[1] ?? 0);
