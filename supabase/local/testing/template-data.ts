import { constants, cpSync, existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** The environment variable with the folder in which the workers of one run of tests share a template. */
export const templateFolderVariable = "SWITCHYARD_TEST_TEMPLATE";

/**
 * Fills an empty data directory with a database to which all migrations are applied, and its keys, so that its first
 * start is a later one. `make` starts and stops a stack with the data directory that it gets; it is called once, by the
 * first worker that comes here. Without a folder for templates nothing is done.
 */
export async function fillFromTemplate(dataDir: string, make: (dataDir: string) => Promise<void>): Promise<void> {
  const folder = process.env[templateFolderVariable];
  if (folder === undefined) return;
  const template = join(folder, "data");
  if (!existsSync(template)) {
    const draft = await mkdtemp(join(folder, "draft-"));
    await make(draft);
    // Another worker may have been faster; its template is as good.
    await rename(draft, template).catch(() => rm(draft, { recursive: true, force: true }));
  }
  for (const part of ["database", "keys.json"]) {
    // More than a thousand small files, for each of which the asynchronous copy takes several turns.
    cpSync(join(template, part), join(dataDir, part), { recursive: true, mode: constants.COPYFILE_FICLONE });
  }
}
