import { fileName, mediaTypeOf, unknownType } from "../../../src/engine/file/file-name.ts";
import type { FileValue } from "../../../src/engine/file/file.ts";
import { isTextType } from "../../../src/engine/text/text-type.ts";
import type { Outcome } from "../_shared/failure.ts";

/** Stores what arrives as a file of the caller. */
export type KeepFile = (file: {
  name: string;
  mediaType: string;
  bytes: AsyncIterable<Uint8Array>;
}) => Promise<Outcome<FileValue>>;

/** Whether an answer's type says that it is no text; one without a type has to be looked at. */
export function isFileType(contentType: string | undefined): boolean {
  return contentType !== undefined && contentType.trim() !== "" && !isTextType(contentType.trim());
}

/**
 * What a file is called that a server sends: as its `Content-Disposition` says (RFC 6266), else as the last part of the address, with
 * an ending that fits its type where it has none.
 */
export function nameOfAnswer(url: string, headers: Readonly<Record<string, string>>): string {
  const type = mediaTypeOf(headers["content-type"]);
  const said = dispositionName(headers["content-disposition"] ?? "");
  const name = fileName(said ?? decoded(new URL(url).pathname.split("/").at(-1) ?? ""), "download");
  const ending = endings[type];
  return /\.[A-Za-z0-9]{1,10}$/.test(name) || type === unknownType || ending === undefined ? name : `${name}.${ending}`;
}

const endings: Readonly<Record<string, string>> = {
  "application/gzip": "gz",
  "application/pdf": "pdf",
  "application/zip": "zip",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "image/gif": "gif",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "video/mp4": "mp4",
};

function dispositionName(header: string): string | undefined {
  const [, extended] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header) ?? [];
  if (extended !== undefined) return decoded(extended);
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  return quoted?.replace(/\\(.)/g, "$1") ?? bare;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
