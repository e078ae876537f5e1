import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errorText, StartError, systemErrorCode } from "../start-error.ts";

/** Where everything of one instance lives. All paths are absolute. */
export interface DataDirectory {
  root: string;
  /** Postgres files; exists only when they are complete. */
  database: string;
  /** How the names of directories begin in which Postgres files are made for the first time; they never hold anyone's data. */
  databaseDraft: string;
  keys: string;
  instance: string;
  denoCache: string;
  /** Which process holds the database. */
  databaseProcess: string;
  /** The bytes of files. */
  files: string;
}

const ownNames = new Set(["database", "keys.json", "instance.json", "deno-cache", "database-process.json", "files"]);

/** The layout of a data directory, without touching the disk. */
export function dataDirectoryAt(path: string): DataDirectory {
  const root = resolve(path);
  return {
    root,
    database: join(root, "database"),
    databaseDraft: join(root, "database.new"),
    keys: join(root, "keys.json"),
    instance: join(root, "instance.json"),
    denoCache: join(root, "deno-cache"),
    databaseProcess: join(root, "database-process.json"),
    files: join(root, "files"),
  };
}

/** Makes a directory and those above it. Node's own `recursive` never ends where nothing can be made, such as in /proc. */
async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    await makeDirectory(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

/**
 * Makes the directory (mode 0700) or checks that it is one of ours. Never deletes anything.
 * Throws StartError when the path is a file, cannot be used, or holds other people's files.
 */
export async function prepareDataDirectory(path: string): Promise<DataDirectory> {
  const directory = dataDirectoryAt(path);
  const { root } = directory;
  try {
    await makeDirectory(root);
    if (!(await stat(root)).isDirectory()) throw new Error("there is a file of that name");
    const names = await readdir(root);
    if (names.length > 0 && !names.some((name) => ownNames.has(name) || name.startsWith("database.new"))) {
      throw new StartError(
        `The data directory ${root} holds other files, but no Switchyard data.`,
        "Nothing was changed. Choose an empty directory with --data <dir>.",
      );
    }
    await chmod(root, 0o700);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `The data directory ${root} cannot be used: ${errorText(error)}.`,
      "Nothing was changed. Choose another directory with --data <dir>, or correct its permissions.",
      error,
    );
  }
  return directory;
}
