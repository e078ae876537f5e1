import type { RunErrorData } from "../errors.ts";
import type { FileValue } from "./file.ts";

/** Bytes that are there, or that arrive. */
export type FileBytes = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

/** What came of it, or why nothing did. */
export type FileResult<Value> = { ok: true; value: Value } | { ok: false; error: RunErrorData };

/**
 * Where a host keeps files. Scoped to the owner by the store itself. It knows nothing of runs: nodes use files through `RunFiles`.
 * Rejects only with the signal's reason.
 */
export interface FileStore {
  /** What a file is; undefined where it has been deleted or belongs to somebody else. */
  find(id: string, options: { signal: AbortSignal }): Promise<FileResult<FileValue | undefined>>;
  /** The bytes of a file, as they arrive. Fails where it has been deleted or belongs to somebody else. */
  open(id: string, options: { signal: AbortSignal }): Promise<FileResult<ReadableStream<Uint8Array<ArrayBuffer>>>>;
  /**
   * Stores bytes; the same bytes are stored once. Fails where the file is too large or the owner's storage is full, and then keeps
   * nothing.
   */
  create(
    file: { name: string; mediaType: string; bytes: FileBytes },
    options: { signal: AbortSignal },
  ): Promise<FileResult<FileValue>>;
}
