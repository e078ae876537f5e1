import type { ReadFile } from "../../engine/file/pack-files.ts";
import type { StoreFile } from "../../engine/file/sent-file.ts";
import { ServiceError, type Services } from "../../services/services.ts";

/** Reads files of the account for what leaves it. */
export function fileReader(files: Pick<Services["files"], "open">, signal = new AbortController().signal): ReadFile {
  return async (id) => {
    try {
      return new Uint8Array(await (await files.open(id, signal)).arrayBuffer());
    } catch (error) {
      if (error instanceof ServiceError && error.kind === "not-found") return undefined;
      throw error;
    }
  };
}

/** Stores what comes along with an import as files of the account. */
export function fileStorer(files: Pick<Services["files"], "add">, signal = new AbortController().signal): StoreFile {
  return (file) => files.add(file, signal);
}
