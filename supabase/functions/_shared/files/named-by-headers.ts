import { fileName, mediaTypeOf, unknownType } from "../../../../src/engine/file/file-name.ts";

/**
 * What a file is called whose bytes come with these headers: as `Content-Disposition` says (RFC 6266), else `otherwise`, with an ending
 * that fits its type where it has none.
 */
export function nameByHeaders(headers: Readonly<Record<string, string>>, otherwise: string): string {
  const name = fileName(dispositionName(headers["content-disposition"] ?? "") ?? otherwise, "download");
  return withEnding(name, mediaTypeOf(headers["content-type"]));
}

/** A name with an ending that fits its type, where it has none. */
export function withEnding(name: string, mediaType: string): string {
  const ending = endings[mediaType];
  return /\.[A-Za-z0-9]{1,10}$/.test(name) || mediaType === unknownType || ending === undefined
    ? name
    : `${name}.${ending}`;
}

const endings: Readonly<Record<string, string>> = {
  "application/gzip": "gz",
  "application/pdf": "pdf",
  "application/zip": "zip",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/csv": "csv",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "image/gif": "gif",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/svg+xml": "svg",
  "text/csv": "csv",
  "text/html": "html",
  "text/markdown": "md",
  "video/mp4": "mp4",
};

function dispositionName(header: string): string | undefined {
  const [, extended] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header) ?? [];
  if (extended !== undefined) return decoded(extended);
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  return quoted?.replace(/\\(.)/g, "$1") ?? bare;
}

/** A text without percent-encoding, as it is where it has a wrong one. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
