import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { z } from "zod/mini";
import { fileSchema, type FileValue } from "./file.ts";
import { bytesOfBase64 } from "../model/data-url.ts";

/** A file as an export holds it. Without a size it cannot be taken for one that is stored. */
export const sentFileSchema = z.object({
  /** By which what is exported names it; it means nothing in another account. */
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

/** Stores bytes as a file of the account. */
export type StoreFile = (file: {
  name: string;
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
}) => Promise<FileValue>;

/** Stores what came along; the new files by the old ids, without those whose bytes are others. Rejects as `store` does. */
export async function storeSent(sent: readonly SentFile[], store: StoreFile): Promise<Map<string, FileValue>> {
  const stored = new Map<string, FileValue>();
  for (const file of sent) {
    const bytes = sentBytes(file);
    if (bytes) stored.set(file.$file, await store({ name: file.name, mediaType: file.mediaType, bytes }));
  }
  return stored;
}
