import { existsSync } from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dataDirectoryAt } from "../database/data-directory.ts";
import { loadKeys } from "../database/keys.ts";
import { lastMigration } from "../database/migrations.ts";
import { sumTables } from "../database/moving/sum-tables.ts";
import type { ServerAddress } from "../database/postgres/server-address.ts";
import { openForCommand } from "../database/postgres/open-server.ts";
import { readKeyMarks, refuseOtherKeys } from "../database/postgres/used-keys.ts";
import { leftOutWords } from "./backup-embedded.ts";
import { makeFolder, refuseFullDisk, refuseWithin } from "./backup-folder.ts";
import { type BackupManifest, describeFiles, studioMark, writeManifest } from "./backup-manifest.ts";
import { copyStoredFiles, storedBytes } from "./copy-stored-files.ts";
import { findProgram, runProgram } from "./postgres-programs.ts";
import { postgresVersionOf } from "./postgres-version.ts";
import { queueTables, readStrangers } from "../database/moving/tables.ts";
import { pauseTable } from "./studio-pause.ts";

export const dumpName = "database.dump";

/** The studio's schemas. The migrations make them anew; what is kept are their rows. */
const schemas = ["public", "private", "auth"];

/**
 * Backs up the rows of a server's database with pg_dump, counts them in the same snapshot, and copies the bytes of files from the data
 * directory. `dataDir`: whose keys it is used with.
 * Throws StartError; nothing is left of a backup that failed.
 */
export async function backUpServer(options: {
  address: ServerAddress;
  dataDir: string;
  folder: string;
  withKeys: boolean;
}): Promise<BackupManifest> {
  const { address, folder, withKeys } = options;
  const directory = dataDirectoryAt(options.dataDir);
  refuseWithin(folder, directory.root);
  const keys = await loadKeys(directory.keys, { mayCreate: false });
  const session = await openForCommand(address);
  try {
    // With those of another studio nobody could open what is restored.
    refuseOtherKeys(await readKeyMarks(session), keys, address, directory.keys);
    const program = await findProgram("pg_dump", await postgresVersionOf(session));
    return await makeFolder(folder, async (draft) => {
      const files = join(draft, "files");
      await refuseFullDisk(dirname(draft), await storedBytes(directory.files));
      // Before and after: what the rows of the snapshot name may be deleted or have come meanwhile.
      await copyStoredFiles(directory.files, files);
      const createdAt = new Date().toISOString();
      const dump = join(draft, dumpName);
      const tables = await sumTables(session, async () => {
        await session.exec("set local idle_in_transaction_session_timeout = 0");
        const { rows } = await session.query<{ id: string }>("select pg_export_snapshot() as id");
        const strangers = await readStrangers(session);
        await runProgram(
          program,
          [
            "--format=custom",
            "--data-only",
            // Where it is restored there may be other partitions.
            "--load-via-partition-root",
            `--snapshot=${rows[0]?.id ?? ""}`,
            ...schemas.map((schema) => `--schema=${schema}`),
            ...[pauseTable, ...queueTables, ...strangers].map((table) => `--exclude-table=${table}`),
            `--file=${dump}`,
          ],
          address,
        );
      });
      await copyStoredFiles(directory.files, files);
      await chmod(dump, 0o600);
      const schema = await lastMigration(session);
      if (withKeys) {
        await copyFile(directory.keys, join(draft, "keys.json"));
        await chmod(join(draft, "keys.json"), 0o600);
      }
      const manifest: BackupManifest = {
        format: "switchyard-backup/1",
        kind: "postgres",
        createdAt,
        schema,
        studio: studioMark(keys.publishableKey),
        source: `postgres://${address.shown}`,
        withKeys,
        leftOut: [
          ...leftOutWords(withKeys),
          ...(existsSync(directory.files) ? [] : [`the bytes of files, which are not in ${directory.root}`]),
          "tables that are not the studio's, roles and settings of the server",
        ],
        tables,
        files: await describeFiles(draft),
      };
      writeManifest(draft, manifest);
      return manifest;
    });
  } finally {
    session.close();
  }
}
