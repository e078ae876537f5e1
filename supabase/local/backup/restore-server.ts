import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DataDirectory, prepareDataDirectory } from "../database/data-directory.ts";
import { type InstanceKeys, loadKeys } from "../database/keys.ts";
import { addEventMonths } from "../database/moving/event-months.ts";
import { copyData } from "../database/moving/copy-data.ts";
import { keepKeys, openTargetServer } from "../database/moving/places.ts";
import { sumTables } from "../database/moving/sum-tables.ts";
import { readTables } from "../database/moving/tables.ts";
import { bringUpToDate, openForCommand } from "../database/postgres/open-server.ts";
import type { ServerAddress } from "../database/postgres/server-address.ts";
import { inTransaction, type SqlSession } from "../database/sql-session.ts";
import { listMigrations } from "../database/migrations.ts";
import { StartError } from "../start-error.ts";
import { readAccess } from "./alive-again.ts";
import { type BackupManifest, checkFiles, readManifest, studioMark } from "./backup-manifest.ts";
import { refuseFullDisk } from "./backup-folder.ts";
import { copyStoredFiles, storedBytes } from "./copy-stored-files.ts";
import { dumpName } from "./backup-server.ts";
import { findProgram, runProgram } from "./postgres-programs.ts";
import { postgresVersionOf } from "./postgres-version.ts";
import { orderRestore } from "./restore-order.ts";
import { restoreEmbedded, type Restored, type RestoreOptions } from "./restore-embedded.ts";
import { beginPause, pauseTable, settleRestored } from "./studio-pause.ts";

interface ServerRestoreOptions extends RestoreOptions {
  /** The data directory whose keys the studio will use with the database. */
  keysDirectory: string;
  log: (line: string) => void;
}

/** Restores a backup into an empty database of a server, and makes it safe to start. Throws StartError. */
export async function restoreToServer(address: ServerAddress, options: ServerRestoreOptions): Promise<Restored> {
  const manifest = await readManifest(options.folder);
  await checkFiles(options.folder, manifest);
  const directory = await prepareDataDirectory(options.keysDirectory);
  const given = await keysOf(manifest, directory, options);
  return manifest.kind === "embedded"
    ? viaDirectory(address, given?.file, options)
    : fromDump(address, { manifest, directory, given: given?.keys }, options);
}

/** Those that were named, that are in the backup, or that the directory holds already; null where the keys are gone. */
async function keysOf(
  { withKeys, studio }: BackupManifest,
  directory: DataDirectory,
  { folder, keysFile }: ServerRestoreOptions,
): Promise<{ file: string; keys: InstanceKeys } | null> {
  const named = keysFile ?? (withKeys ? join(folder, "keys.json") : undefined);
  const file = named ?? directory.keys;
  if (named === undefined && !existsSync(file)) return null;
  const keys = await loadKeys(file, { mayCreate: false });
  if (studioMark(keys.publishableKey) === studio) return { file, keys };
  throw new StartError(
    `${file} holds the keys of another studio than the one that was backed up.`,
    "Nothing was changed. Name its keys with --keys <file>, or a new directory with --data <dir>.",
  );
}

async function viaDirectory(
  address: ServerAddress,
  keysFile: string | undefined,
  options: ServerRestoreOptions,
): Promise<Restored> {
  const { keysDirectory, migrations, log } = options;
  const parent = await mkdtemp(join(tmpdir(), "switchyard-restore-"));
  try {
    const from = join(parent, "data");
    const restored = await restoreEmbedded(from, { ...options, keysFile });
    await copyData({ from, to: address.url, keysDirectory, migrations, log });
    return restored;
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

async function fromDump(
  address: ServerAddress,
  {
    manifest,
    directory,
    given,
  }: { manifest: BackupManifest; directory: DataDirectory; given: InstanceKeys | undefined },
  { folder, migrations, log }: ServerRestoreOptions,
): Promise<Restored> {
  if (!(await listMigrations(migrations)).some(({ version }) => version === manifest.schema)) {
    throw new StartError(
      `The backup was made by a newer version of Switchyard (its last migration is ${manifest.schema}).`,
      "Nothing was changed. Restore it with that version.",
    );
  }
  const program = await programFor(address);
  const files = join(folder, "files");
  await refuseFullDisk(directory.root, (await storedBytes(files)) - (await storedBytes(directory.files)));
  if (given && existsSync(directory.keys)) await keepKeys(directory, given, { mayCreate: false });
  // New ones are kept at once: the database notes which it is used with, and the next attempt has to have the same.
  const keys = given ?? (await loadKeys(directory.keys, { mayCreate: true }));
  const target = await openTargetServer(address, keys, directory.keys, { migrations, log, until: manifest.schema });
  let seeded: SeededRows;
  try {
    // Before the rows, so that a copy that fails leaves a database to be tried again: bytes that no row names do no harm.
    await copyStoredFiles(files, directory.files);
    seeded = await makeWay(target.session, manifest.createdAt);
  } finally {
    await target.close();
  }
  const database = `--dbname=${new URL(address.url).pathname.slice(1)}`;
  const dump = join(folder, dumpName);
  const aside = await mkdtemp(join(tmpdir(), "switchyard-restore-"));
  try {
    const { file, months } = await orderRestore(program, address, dump, aside);
    await inSession(address, (session) => addEventMonths(session, months));
    await runProgram(
      program,
      ["--data-only", "--single-transaction", "--exit-on-error", "--no-owner", `--use-list=${file}`, database, dump],
      address,
    );
  } catch (error) {
    // Whatever keeps it from being put back, the first error says more.
    await inSession(address, (session) => putBack(session, seeded)).catch(() => undefined);
    throw error;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return inSession(address, async (session) => {
    await switchTriggers(session, "enable");
    await refuseDifference(session, manifest);
    await bringUpToDate(address, { migrations, siteUrl: "http://127.0.0.1", keys, keysPath: directory.keys });
    const settled = await settleRestored(session, manifest.createdAt);
    await keepKeys(directory, keys, { mayCreate: true });
    return { ...settled, manifest, opensCredentials: given !== undefined, access: await readAccess(session) };
  });
}

/** Asks the server only for its version. */
async function programFor(address: ServerAddress): Promise<string> {
  const session = await openForCommand(address);
  try {
    return await findProgram("pg_restore", await postgresVersionOf(session));
  } finally {
    session.close();
  }
}

/** A new one, since an idle one may be cut off while pg_restore works. */
async function inSession<Result>(
  address: ServerAddress,
  task: (session: SqlSession) => Promise<Result>,
): Promise<Result> {
  const session = await openForCommand(address);
  try {
    return await task(session);
  } finally {
    session.close();
  }
}

/** What the migrations have filled, as JSON by table. */
type SeededRows = ReadonlyMap<string, string>;

/**
 * What triggers would add is in the backup, and what the migrations have filled gives way to it. The studio pauses from here on,
 * whatever becomes of the restore.
 */
function makeWay(session: SqlSession, createdAt: string): Promise<SeededRows> {
  return inTransaction(session, async () => {
    await switchTriggers(session, "disable");
    const seeded = new Map<string, string>();
    const tables = await readTables(session);
    for (const { name } of tables.toReversed()) {
      const { rows } = await session.query<{ text: string | null }>(
        `select jsonb_agg(to_jsonb(item))::text as text from ${name} as item`,
      );
      if (rows[0]?.text) seeded.set(name, rows[0].text);
      await session.exec(`delete from ${name}`);
    }
    if (tables.some(({ name }) => name === pauseTable)) await beginPause(session, createdAt);
    return seeded;
  });
}

function putBack(session: SqlSession, seeded: SeededRows): Promise<void> {
  return inTransaction(session, async () => {
    for (const [name, rows] of seeded) {
      await session.query(
        `insert into ${name} select * from jsonb_populate_recordset(null::${name}, $1::text::jsonb) on conflict do nothing`,
        [rows],
      );
    }
    await switchTriggers(session, "enable");
  });
}

async function switchTriggers(session: SqlSession, verb: "enable" | "disable"): Promise<void> {
  const tables = await readTables(session);
  await session.exec(tables.map(({ name }) => `alter table ${name} ${verb} trigger user`).join("; "));
}

async function refuseDifference(session: SqlSession, { tables }: BackupManifest): Promise<void> {
  const found = new Map((await sumTables(session)).map((table) => [table.name, table]));
  const other = tables.find(({ name, rows, checksum }) => {
    if (name === pauseTable) return false;
    const table = found.get(name);
    return table?.rows !== rows || table.checksum !== checksum;
  });
  if (other === undefined) return;
  throw new StartError(
    `What was restored of ${other.name} is not the same as what was backed up.`,
    "Do not use this database. Empty it, and restore another backup.",
  );
}
