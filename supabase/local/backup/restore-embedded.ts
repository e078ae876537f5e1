import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { prepareAnswers } from "../rest/api-answers.ts";
import { type DataDirectory, dataDirectoryAt, prepareDataDirectory } from "../database/data-directory.ts";
import { openDatabase } from "../database/database.ts";
import { acquireInstanceLock } from "../database/instance-lock.ts";
import { type InstanceKeys, loadKeys } from "../database/keys.ts";
import { keepKeys } from "../database/moving/places.ts";
import { syncPath, syncTree } from "../database/synced-files.ts";
import { StartError } from "../start-error.ts";
import { type Access, readAccess } from "./alive-again.ts";
import { refuseFullDisk } from "./backup-folder.ts";
import { type BackupManifest, checkFiles, readManifest } from "./backup-manifest.ts";
import { copyIdleFiles, sizeOf } from "./copy-database-files.ts";
import { copyStoredFiles, storedBytes } from "./copy-stored-files.ts";
import { type Settled, settleRestored } from "./studio-pause.ts";

export interface Restored extends Settled {
  manifest: BackupManifest;
  /** Whether stored credentials can be opened. */
  opensCredentials: boolean;
  access: Access;
}

export interface RestoreOptions {
  /** The backup's folder. */
  folder: string;
  /** A file as keys.json of the studio that was backed up; without it, that of the backup, or new keys. */
  keysFile: string | undefined;
  migrations: string;
}

/**
 * Restores the backup of an embedded database into a new data directory, all of it or nothing, and makes it safe to start.
 * Throws StartError when the backup is damaged, or the directory holds a database.
 */
export async function restoreEmbedded(path: string, options: RestoreOptions): Promise<Restored> {
  const { folder, migrations } = options;
  const manifest = await readManifest(folder);
  await checkFiles(folder, manifest);
  if (manifest.kind !== "embedded") {
    throw new StartError(
      `${folder} is the backup of a PostgreSQL server, which no data directory takes.`,
      "Nothing was changed. Restore it into an empty database with --to postgres://… and --data <dir> for its keys; `npm run data -- copy` takes it into a directory from there.",
    );
  }
  const found = options.keysFile ?? (manifest.withKeys ? join(folder, "keys.json") : undefined);
  const given = found === undefined ? undefined : await loadKeys(found, { mayCreate: false });
  const directory = await emptyDirectory(path, given);
  const lock = await acquireInstanceLock(directory.instance, () => undefined);
  // Drafts of such names are removed by the next start, should this one be cut short.
  const draft = `${directory.databaseDraft}-restored`;
  const draftKeys = `${directory.databaseDraft}-keys.json`;
  const removeDrafts = () => Promise.all([draft, draftKeys].map((name) => rm(name, { recursive: true, force: true })));
  try {
    await removeDrafts();
    const files = join(folder, "database");
    const stored = join(folder, "files");
    await refuseFullDisk(directory.root, (await sizeOf(files)) + (await storedBytes(stored)) + 50_000_000);
    await copyIdleFiles(files, draft);
    const keys = given ?? (await loadKeys(draftKeys, { mayCreate: true }));
    const connection = await openDatabase(draft);
    let settled: Settled;
    let access: Access;
    try {
      const words = { name: "The backup", instead: "restore another one" };
      // Brings what an older version has written up to date.
      await prepareAnswers(connection, connection.driver, { keys, siteUrl: "http://127.0.0.1", migrations }, words);
      settled = await settleRestored(connection.driver, manifest.createdAt);
      access = await readAccess(connection.driver);
    } finally {
      await connection.close();
    }
    syncTree(draft);
    await copyStoredFiles(stored, directory.files);
    // A database without its keys would be half a studio.
    await keepKeys(directory, keys, { mayCreate: true });
    await rename(draft, directory.database);
    syncPath(dirname(directory.database));
    return { ...settled, manifest, access, opensCredentials: given !== undefined };
  } finally {
    await removeDrafts().finally(() => lock.release());
  }
}

/** The same keys may be there already, of a restore that was cut short. */
async function emptyDirectory(path: string, given: InstanceKeys | undefined): Promise<DataDirectory> {
  const directory = dataDirectoryAt(path);
  const { root, database, keys } = directory;
  if (existsSync(database) || (existsSync(keys) && !given)) {
    throw new StartError(
      `${root} holds a studio already.`,
      "Nothing was changed. Restore into a new directory, and start the studio with it.",
    );
  }
  if (given && existsSync(keys)) await keepKeys(directory, given, { mayCreate: false });
  return prepareDataDirectory(root);
}
