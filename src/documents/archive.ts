import { zipSync } from "fflate";
import type { NamedBytes } from "../engine/file/documents.ts";
import { DocumentError } from "./document-error.ts";
import { maxFiles, maxUnpacked } from "./limits.ts";
import { mediaTypeOfName } from "./media-types.ts";
import { unpack } from "./unpack.ts";

/** A ZIP archive of files; of two with one name the second is numbered. Throws a DocumentError for too much. */
export function zip(name: string, files: readonly NamedBytes[]): NamedBytes {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > maxUnpacked) {
    const message = `The files have more than ${maxUnpacked / 1024 / 1024} MB together.`;
    throw new DocumentError(message, "Pack fewer files at a time.");
  }
  const entries = new Map<string, Uint8Array>();
  for (const file of files) entries.set(freeName(file.name || "file", entries), file.bytes);
  const bytes = zipSync(Object.fromEntries(entries));
  return { name: /\.zip$/i.test(name) ? name : `${name || "archive"}.zip`, mediaType: "application/zip", bytes };
}

/** The files of a ZIP archive, by their names without folders. Throws a DocumentError as `unpack` does. */
export function unzip({ bytes }: NamedBytes): NamedBytes[] {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) {
    throw new DocumentError("The file is not a ZIP archive.", "Only ZIP archives can be unpacked.");
  }
  return [...unpack(bytes, { entries: maxFiles })]
    .filter(([path]) => !/(^|\/)(__MACOSX\/|\.DS_Store$)/.test(path))
    .map(([path, content]) => {
      const name = path.split(/[/\\]/).at(-1) || "file";
      return { name, mediaType: mediaTypeOfName(name), bytes: content };
    });
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  const plain = name.replace(/^[/\\]+|\.\.(?=[/\\])/g, "");
  let free = plain;
  for (let number = 2; taken.has(free); number += 1) free = plain.replace(/(\.[^.]*)?$/, ` ${number}$1`);
  return free;
}
