import { copyFile, chmod } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type DataDirectory, dataDirectoryAt } from "../database/data-directory.ts";
import { openDatabase } from "../database/database.ts";
import { acquireInstanceLock } from "../database/instance-lock.ts";
import { loadKeys } from "../database/keys.ts";
import { endLeftoverProcess } from "../database/leftover-process.ts";
import { lastMigration } from "../database/migrations.ts";
import { sumTables } from "../database/moving/sum-tables.ts";
import { syncTree } from "../database/synced-files.ts";
import { StartError } from "../start-error.ts";
import { makeFolder, refuseFullDisk, refuseWithin } from "./backup-folder.ts";
import { type BackupManifest, describeFiles, studioMark, writeManifest } from "./backup-manifest.ts";
import { copyFilesInUse, copyIdleFiles, type OnlineBackup, sizeOf } from "./copy-database-files.ts";
import { copyStoredFiles, storedBytes } from "./copy-stored-files.ts";

export interface EmbeddedBackupOptions {
  dataDir: string;
  /** The folder to be made. */
  folder: string;
  withKeys: boolean;
  /** Of the studio that runs with the directory; null where none does. */
  running: OnlineBackup | null;
}

/** What the log holds beyond the files; Postgres rounds it up to 16 MB. */
const roomToSpare = 64_000_000;

/**
 * Backs up the embedded database of a data directory. The copy is opened, which proves it, and brought to the moment at which it was
 * made; then its tables are counted and its files hashed. Throws StartError; nothing is left of a backup that failed.
 */
export async function backUpEmbedded(options: EmbeddedBackupOptions): Promise<BackupManifest> {
  const { folder, withKeys, running } = options;
  const directory = dataDirectoryAt(options.dataDir);
  if (!existsSync(directory.database)) {
    throw new StartError(
      `${directory.root} holds no database of a studio.`,
      "Name the directory that `npm start` uses with --data, or the server's database with --database.",
    );
  }
  refuseWithin(folder, directory.root);
  const keys = await loadKeys(directory.keys, { mayCreate: false });
  // One at a time: the second would end the first one's.
  const lock = await acquireInstanceLock(join(directory.root, "backup.lock"), () => undefined).catch(() => {
    throw new StartError("Another backup of this studio is under way.", "Wait until it is done.");
  });
  try {
    return await makeFolder(folder, async (draft) => {
      await refuseFullDisk(
        dirname(draft),
        (await sizeOf(directory.database)) + (await storedBytes(directory.files)) + roomToSpare,
      );
      const database = join(draft, "database");
      // What the system has not yet written would be waited for by everybody.
      syncTree(directory.database);
      const createdAt = await (running ? whileInUse(directory, database, running) : whileIdle(directory, database));
      // After the database: what it names by then is there, since the bytes of a file never change.
      await copyStoredFiles(directory.files, join(draft, "files"));
      const { schema, tables } = await openCopy(database);
      if (withKeys) {
        await copyFile(directory.keys, join(draft, "keys.json"));
        await chmod(join(draft, "keys.json"), 0o600);
      }
      const manifest: BackupManifest = {
        format: "switchyard-backup/1",
        kind: "embedded",
        createdAt,
        schema,
        studio: studioMark(keys.publishableKey),
        source: directory.root,
        withKeys,
        leftOut: leftOutWords(withKeys),
        tables,
        files: await describeFiles(draft),
      };
      writeManifest(draft, manifest);
      return manifest;
    });
  } finally {
    lock.release();
  }
}

export function leftOutWords(withKeys: boolean): string[] {
  return [
    ...(withKeys ? [] : ["keys.json, without which credentials cannot be opened"]),
    "models and programs that can be downloaded again",
  ];
}

async function whileInUse(directory: DataDirectory, to: string, running: OnlineBackup): Promise<string> {
  let createdAt = "";
  await copyFilesInUse(directory.database, to, {
    begin: () => running.begin(),
    async end() {
      createdAt = new Date().toISOString();
      return running.end();
    },
  });
  return createdAt;
}

async function whileIdle(directory: DataDirectory, to: string): Promise<string> {
  const lock = await acquireInstanceLock(directory.instance, () => undefined);
  try {
    await endLeftoverProcess(directory.databaseProcess);
    const createdAt = new Date().toISOString();
    await copyIdleFiles(directory.database, to);
    return createdAt;
  } finally {
    lock.release();
  }
}

async function openCopy(database: string): Promise<Pick<BackupManifest, "schema" | "tables">> {
  const connection = await openDatabase(database);
  try {
    return { schema: await lastMigration(connection.driver), tables: await sumTables(connection.driver) };
  } finally {
    await connection.close();
  }
}
