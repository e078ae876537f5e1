// Makes the files of an empty Postgres in the directory given as first argument. Its own short-lived
// process, because the memory that initdb takes (some 300 MB) is not given back before the process ends;
// plain JavaScript, because a child process has no TypeScript loader.
import { PGlite } from "@electric-sql/pglite";

const directory = process.argv[2];
if (!directory) throw new Error("The directory is missing.");
try {
  const database = await PGlite.create({ dataDir: directory });
  await database.close();
} catch (error) {
  // Errors of its file system carry no words, but a number; 51 is that of WASI for a full disk.
  console.error(error.errno === 51 ? "the disk is full" : error.message || `error ${error.errno ?? error}`);
  process.exit(1);
}
