import { existsSync } from "node:fs";
import { cp, realpath, stat } from "node:fs/promises";
import { systemErrorCode } from "../start-error.ts";
import { sizeOf } from "./copy-database-files.ts";

/**
 * Copies the bytes of files, except those that are still being written and those that are there already: the bytes of a file never
 * change. One that is deleted meanwhile is left out.
 */
export async function copyStoredFiles(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  try {
    // The folder may be a link to a volume that several studios share.
    await cp(await realpath(from), to, {
      recursive: true,
      filter: async (path, target) => !path.endsWith(".part") && !(await isCopied(path, target)),
    });
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
    await copyStoredFiles(from, to);
  }
}

/** Not where a copy was cut short. */
async function isCopied(path: string, target: string): Promise<boolean> {
  if (!existsSync(target)) return false;
  const [one, other] = await Promise.all([stat(path), stat(target)]);
  return one.isFile() && one.size === other.size;
}

/** Bytes on disk. */
export async function storedBytes(folder: string): Promise<number> {
  return existsSync(folder) ? sizeOf(await realpath(folder)) : 0;
}
