import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { z } from "zod/mini";
import { fileSchema } from "../../engine/file/file.ts";
import { bytesOfBase64 } from "../../engine/model/data-url.ts";

/** A file as an export holds it. Without a size it cannot be taken for one that is stored. */
export const sentFileSchema = z.object({
  /** By which the case names it; it means nothing in another account. */
  ...z.pick(fileSchema, { $file: true, name: true, mediaType: true, sha256: true }).shape,
  /** The bytes. */
  base64: z.string(),
});

export type SentFile = z.infer<typeof sentFileSchema>;

/** The bytes of a file that came along; undefined where they are not those that it names. */
export function sentBytes({ base64, sha256: hash }: SentFile): Uint8Array<ArrayBuffer> | undefined {
  const bytes = bytesOfBase64(base64);
  return bytes && bytesToHex(sha256(bytes)) === hash ? bytes : undefined;
}
