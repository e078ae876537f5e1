// Makes a database, or opens the one that is there, in the directory of its first argument and inserts numbers one by one,
// until it is killed. What a power cut would leave is in the directory of its second argument. Prints `KEPT <number>` for each
// acknowledged number.
import { writeSync } from "node:fs";
import { register } from "tsx/esm/api";
import { recordPowerCut } from "./power-cut-recorder.mjs";

const [, , directory, remains] = process.argv;
recordPowerCut(directory, remains);
register();
const { prepareDataDirectory } = await import("../database/data-directory.ts");
const { prepareDatabaseFiles } = await import("../database/database-files.ts");
const { openDatabase } = await import("../database/database.ts");
const { loadKeys } = await import("../database/keys.ts");

const prepared = await prepareDataDirectory(directory);
await loadKeys(prepared.keys, { mayCreate: true });
await prepareDatabaseFiles(prepared);
const { driver } = await openDatabase(prepared.database);
await driver.exec("create table if not exists kept (number serial primary key, text text)");
for (;;) {
  const { rows } = await driver.query("insert into kept (text) values (repeat('x', 500)) returning number");
  // At once, so that nothing is said later than it was done.
  writeSync(1, `KEPT ${rows[0].number}\n`);
}
