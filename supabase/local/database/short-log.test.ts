import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "./database.ts";
import { dataDirectoryAt, prepareDataDirectory } from "./data-directory.ts";
import { prepareDatabaseFiles } from "./database-files.ts";
import { keepLogShort } from "./short-log.ts";

const megabyte = 1024 * 1024;
let folder: string;
let stop: () => Promise<void>;
let query: (sql: string) => Promise<{ rows: never[]; affectedRows: number }>;
let isCopied: boolean;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "switchyard-log-"));
  const directory = await prepareDataDirectory(folder);
  await prepareDatabaseFiles(directory);
  const connection = await openDatabase(directory.database);
  query = async (sql) => ({ rows: (await connection.driver.query<never>(sql)).rows, affectedRows: 0 });
  isCopied = false;
  const log = keepLogShort(
    { query: query as never },
    { isCopied: () => isCopied, log: () => {}, everyMs: 5, maxBytes: 16 * megabyte },
  );
  stop = async () => {
    log.stop();
    await connection.close();
  };
});
afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

async function logBytes(): Promise<number> {
  const wal = join(dataDirectoryAt(folder).database, "pg_wal");
  const names = await readdir(wal);
  // Some are removed meanwhile.
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(wal, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function write(megabytes: number): Promise<void> {
  for (let count = 0; count < megabytes; count += 1)
    await query("insert into pieces select repeat(md5(random()::text), 32) from generate_series(1, 1024)");
  await query("truncate pieces");
}

test("the log of a database that is written to for long stays short, and is whole while the files are copied", async () => {
  await query("create table pieces (text text)");
  await query("alter table pieces alter text set storage external");
  for (let round = 0; round < 10; round += 1) await write(16);
  const stored = await logBytes();
  expect(stored).toBeLessThan(120 * megabyte);
  isCopied = true;
  for (let round = 0; round < 5; round += 1) await write(16);
  expect(await logBytes()).toBeGreaterThan(stored);
});

test("a checkpoint that fails is told once, and the studio goes on", async () => {
  const told: string[] = [];
  let asked = 0;
  const refusing = async (sql: string) => {
    if (sql === "checkpoint") throw new Error("No space left on device");
    asked += 1;
    return { rows: [{ bytes: asked * 1_000 }], affectedRows: 0 };
  };
  const log = keepLogShort(
    { query: refusing as never },
    { isCopied: () => false, log: (line) => told.push(line), everyMs: 1, maxBytes: 10 },
  );
  await expect.poll(() => asked).toBeGreaterThan(3);
  log.stop();
  expect(told).toEqual([expect.stringContaining("No space left on device")]);
});
