import { closeSync, fsyncSync, openSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes a file that is there as a whole or not at all, also after a power cut. */
export function writeSynced(path: string, content: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, content, { mode: 0o600 });
  syncPath(draft);
  renameSynced(draft, path);
}

/** Renames within one directory so that it lasts. What is renamed must have been synced. */
export function renameSynced(from: string, to: string): void {
  renameSync(from, to);
  syncPath(dirname(to));
}

/** Brings all files of a directory, and their names, to the disk. */
export function syncTree(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncPath(path);
  }
  syncPath(directory);
}

/** Brings a file, or the names in a directory, to the disk. */
export function syncPath(path: string): void {
  let descriptor: number;
  try {
    // Windows syncs only what was opened for writing, opens no directories, and needs no sync of them.
    descriptor = openSync(path, process.platform === "win32" ? "r+" : "r");
  } catch (error) {
    if (process.platform === "win32") return;
    throw error;
  }
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
