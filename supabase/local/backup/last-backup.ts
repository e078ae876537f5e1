import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod/mini";
import { writeSynced } from "../database/synced-files.ts";

const lastBackupSchema = z.object({
  /** When the last one that succeeded was made, as ISO 8601; null when none has. */
  createdAt: z.nullable(z.iso.datetime()),
  /** The failure since then; null when there was none. */
  failure: z.nullable(z.object({ at: z.iso.datetime() })),
});

/** What became of the last backups of a data directory. */
export type LastBackup = z.infer<typeof lastBackupSchema>;

const fileIn = (dataDir: string): string => join(dataDir, "last-backup.json");

/** Null while there has been no backup. */
export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  try {
    return lastBackupSchema.parse(JSON.parse(await readFile(fileIn(dataDir), "utf8")));
  } catch {
    return null;
  }
}

export function noteBackup(dataDir: string, createdAt: string): void {
  writeSynced(fileIn(dataDir), JSON.stringify({ createdAt, failure: null } satisfies LastBackup));
}

/** Why stands in the terminal of the operator alone: whoever signs in may read this. */
export async function noteFailedBackup(dataDir: string): Promise<void> {
  const last = await readLastBackup(dataDir);
  const failure = { at: new Date().toISOString() };
  writeSynced(fileIn(dataDir), JSON.stringify({ createdAt: last?.createdAt ?? null, failure } satisfies LastBackup));
}
