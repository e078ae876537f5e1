import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { systemErrorCode } from "../start-error.ts";
import { sizeOf } from "./copy-database-files.ts";

/** Copies the bytes of files, except those that are still being written. One that is deleted meanwhile is left out. */
export async function copyStoredFiles(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  try {
    await cp(from, to, { recursive: true, filter: (path) => !path.endsWith(".part") });
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
    await copyStoredFiles(from, to);
  }
}

/** Bytes on disk. */
export async function storedBytes(folder: string): Promise<number> {
  return existsSync(folder) ? sizeOf(folder) : 0;
}
