import type { ReadFile, StoreFile } from "../../evaluation/suite/case-files.ts";
import { ServiceError, type Services } from "../../services/services.ts";

/** Reads files of the account for cases that leave it. */
export function caseReader(files: Pick<Services["files"], "open">, signal = new AbortController().signal): ReadFile {
  return async (id) => {
    try {
      return new Uint8Array(await (await files.open(id, signal)).arrayBuffer());
    } catch (error) {
      if (error instanceof ServiceError && error.kind === "not-found") return undefined;
      throw error;
    }
  };
}

/** Stores what comes along with cases as files of the account. */
export function caseStorer(files: Pick<Services["files"], "add">, signal = new AbortController().signal): StoreFile {
  return (file) => files.add(file, signal);
}
