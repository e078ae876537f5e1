import { constants, cpSync, existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The environment variable with the folder in which the workers of one run of tests share a template. */
export const templateFolderVariable = "SWITCHYARD_TEST_TEMPLATE";

/** The data directory that the tests of one run copy, which may not be there yet; null where they share none. */
export function templateDirectory(): string | null {
  const folder = process.env[templateFolderVariable];
  return folder === undefined ? null : join(folder, "data");
}

/**
 * Fills an empty data directory with a database to which all migrations are applied, and its keys, so that its first
 * start is a later one. `make` starts and stops a stack with the data directory that it gets; it is called once, by the
 * first worker that comes here. Without a folder for templates nothing is done.
 */
export async function fillFromTemplate(dataDir: string, make: (dataDir: string) => Promise<void>): Promise<void> {
  const template = templateDirectory();
  if (template === null) return;
  if (!existsSync(template)) {
    const draft = await mkdtemp(join(dirname(template), "draft-"));
    await make(draft);
    // Another worker may have been faster; its template is as good.
    await rename(draft, template).catch(() => rm(draft, { recursive: true, force: true }));
  }
  copyTemplate(template, dataDir);
}

/** Copies what a later start expects from the data directory of a stack that has been stopped. */
export function copyTemplate(template: string, dataDir: string): void {
  for (const part of ["database", "keys.json"]) {
    // More than a thousand small files, for each of which the asynchronous copy takes several turns.
    cpSync(join(template, part), join(dataDir, part), { recursive: true, mode: constants.COPYFILE_FICLONE });
  }
}
