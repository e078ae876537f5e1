import { constants, copyFileSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { StartError, systemErrorCode } from "../start-error.ts";
import { writeSynced } from "../database/synced-files.ts";

/** What a running database says so that its files can be copied: PostgreSQL's own online backup. */
export interface OnlineBackup {
  /** Writes what is in memory to the files. Gives the name of the first file of its log that the copy needs. */
  begin(): Promise<{ firstLog: string }>;
  /** Gives the name of the last one, and the text of the label with which Postgres goes on from the copy. */
  end(): Promise<{ lastLog: string; label: string }>;
}

/** Postgres makes these anew; the process that wrote them is another one. */
const leftOut = new Set(["postmaster.pid", "postmaster.opts", "backup_label.old"]);
const logName = /^[0-9A-F]{24}$/;
const controlFile = join("global", "pg_control");

/** Copies the files of a database that nobody uses. */
export async function copyIdleFiles(from: string, to: string): Promise<void> {
  await copyTree(from, to, () => true);
}

/**
 * Copies the files of a database that is in use. Nobody waits meanwhile: the copy of a file may be older than that of the next, and
 * the log that goes along brings all of them to the moment of `end`.
 */
export async function copyFilesInUse(from: string, to: string, database: OnlineBackup): Promise<void> {
  const { firstLog } = await database.begin();
  await copyTree(from, to, (path, name) => path !== controlFile && !logName.test(name));
  // Written in one piece by Postgres, and read so.
  copyFileSync(join(from, controlFile), join(to, controlFile));
  const { lastLog, label } = await database.end();
  const logs = (await readdir(join(from, "pg_wal"))).filter(
    (name) => logName.test(name) && name >= firstLog && name <= lastLog,
  );
  if (!logs.includes(firstLog) || !logs.includes(lastLog)) throw logIsGone();
  for (const name of logs) {
    await copyFile(join(from, "pg_wal", name), join(to, "pg_wal", name)).catch((error: unknown) => {
      throw systemErrorCode(error) === "ENOENT" ? logIsGone(error) : error;
    });
  }
  writeSynced(join(to, "backup_label"), label);
}

function logIsGone(cause?: unknown): StartError {
  return new StartError(
    "The database has removed a part of its log while it was copied.",
    "Nothing was kept. Make the backup again.",
    cause,
  );
}

/** Files that vanish meanwhile belonged to tables that were dropped. */
async function copyTree(
  from: string,
  to: string,
  isWanted: (path: string, name: string) => boolean,
  below = "",
): Promise<void> {
  await mkdir(join(to, below), { recursive: true, mode: 0o700 });
  for (const entry of await readdir(join(from, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) await copyTree(from, to, isWanted, path);
    else if (entry.isFile() && !leftOut.has(entry.name) && isWanted(path, entry.name)) {
      await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
        .then(() => chmod(join(to, path), 0o600))
        .catch((error: unknown) => {
          if (systemErrorCode(error) !== "ENOENT") throw error;
        });
    }
  }
}

/** Bytes of all files below a folder. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}
