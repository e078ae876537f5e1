import { file_fdw } from "@electric-sql/pglite/contrib/file_fdw";
import { isn } from "@electric-sql/pglite/contrib/isn";
import { ltree } from "@electric-sql/pglite/contrib/ltree";
import { pgcrypto } from "@electric-sql/pglite/contrib/pgcrypto";

/**
 * The API library gives four extensions to every database, and each is compiled and held in memory whether it is used or not.
 * No migration of ours creates them. From now on they bring nothing.
 */
export function leaveOutUnusedExtensions(): void {
  for (const extension of [file_fdw, isn, ltree, pgcrypto]) {
    if (!Reflect.set(extension, "setup", bringNothing)) {
      throw new Error(`This version of PGlite lets nobody leave out the extension ${extension.name}.`);
    }
  }
}

const bringNothing = async () => ({});
