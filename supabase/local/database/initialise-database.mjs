// Makes the files of an empty Postgres in the directory given as first argument. Its own short-lived
// process, because the memory that initdb takes (some 300 MB) is not given back before the process ends;
// plain JavaScript, because a child process has no TypeScript loader.
import { PGlite } from "@electric-sql/pglite";

const directory = process.argv[2];
if (!directory) throw new Error("The directory is missing.");

// A studio that started us holds our standard input open; when that ends, nobody wants these files any more.
if (process.argv[3] === "while-input-is-open") process.stdin.on("end", () => process.exit(1)).resume();

// PGlite hands no arguments on to initdb. Checksums of pages, which tell damage on the disk, are asked for where initdb runs
// Postgres for the first time.
const callMain = PGlite.prototype.callMain;
PGlite.prototype.callMain = function (args) {
  return callMain.call(this, args[0] === "--boot" ? ["--boot", "-k", ...args.slice(1)] : args);
};

try {
  const database = await PGlite.create({ dataDir: directory });
  await database.close();
  process.exit(0);
} catch (error) {
  // Errors of its file system carry no words, but a number; 51 is that of WASI for a full disk.
  console.error(error.errno === 51 ? "the disk is full" : error.message || `error ${error.errno ?? error}`);
  process.exit(1);
}
