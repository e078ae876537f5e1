import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { type FileValue, goneFileHint, maxFileBytes } from "../file/file.ts";
import type { FileStore } from "../file/file-store.ts";
import { readBytes } from "../file/read-bytes.ts";

/** A file and its bytes. */
export interface KeptFile {
  file: FileValue;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A `FileStore` in memory. Files can be put into it and read from it directly. */
export interface MemoryFileStore extends FileStore {
  kept: ReadonlyMap<string, KeptFile>;
  /** Stores a file as if it had been there before. */
  put(name: string, mediaType: string, bytes: Uint8Array<ArrayBuffer> | string): Promise<FileValue>;
}

interface FileStoreOptions {
  /** The most bytes of one file. */
  maxBytes?: number;
  /** Files that are there from the start. */
  given?: readonly KeptFile[];
  /** A fresh UUID; in sequence when absent, which is meant for tests. */
  newId?(): string;
}

/** Keeps files until it is dropped. */
export function fileStore({ maxBytes = maxFileBytes, given = [], newId }: FileStoreOptions = {}): MemoryFileStore {
  const kept = new Map(given.map((one) => [one.file.$file, one]));
  const keep = (name: string, mediaType: string, bytes: Uint8Array<ArrayBuffer>): FileValue => {
    const file = {
      $file: newId?.() ?? `00000000-0000-4000-9000-${String(kept.size + 1).padStart(12, "0")}`,
      name,
      mediaType,
      size: bytes.byteLength,
      // At once: a test's clock goes on while nothing but the platform works.
      sha256: bytesToHex(sha256(bytes)),
    };
    kept.set(file.$file, { file, bytes });
    return file;
  };
  return {
    kept,
    put: async (name, mediaType, bytes) =>
      keep(name, mediaType, typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes),
    async find(id, { signal }) {
      signal.throwIfAborted();
      return { ok: true, value: kept.get(id)?.file };
    },
    async open(id, { signal }) {
      signal.throwIfAborted();
      const found = kept.get(id);
      if (found) return { ok: true, value: new Blob([found.bytes]).stream() };
      const message = "The file is no longer there.";
      return { ok: false, error: { code: "invalid_config", message, hint: goneFileHint, retryable: false } };
    },
    async create({ name, mediaType, bytes }, { signal }) {
      signal.throwIfAborted();
      const all = bytes instanceof Uint8Array ? bytes : await readBytes(bytes, maxBytes);
      if (all && all.byteLength <= maxBytes) return { ok: true, value: keep(name, mediaType, all) };
      const message = `"${name}" is larger than ${maxBytes / 1_000_000} MB.`;
      const hint = "Use a smaller file.";
      return { ok: false, error: { code: "invalid_config", message, hint, retryable: false } };
    },
  };
}
