import type { FileValue } from "../../../../src/engine/file/file.ts";
import type { OpenedFile } from "./file-storage.ts";

/** Types that a browser shows without running anything that is in them. */
const shown = /^(?:image\/(?:png|jpeg|gif|webp|avif)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+)$/;

/**
 * The headers of a file's bytes: nothing in them runs, whatever the file is or claims to be. What is no picture, sound or film is
 * offered for download as bytes of no type.
 */
export function fileHeaders({ name, mediaType, size }: FileValue): Record<string, string> {
  const isShown = shown.test(mediaType);
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  return {
    "content-type": isShown ? mediaType : "application/octet-stream",
    "content-disposition": `${isShown ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${encoded(name)}`,
    "content-length": String(size),
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-store",
  };
}

/** A file as an answer. */
export function respondFile({ file, bytes }: OpenedFile): Response {
  return new Response(bytes, { headers: fileHeaders(file) });
}

/** As RFC 8187 writes a value. */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
