import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareAnswers } from "../../rest/api-answers.ts";
import { type DataDirectory, dataDirectoryAt, prepareDataDirectory } from "../data-directory.ts";
import { prepareDatabaseFiles } from "../database-files.ts";
import { openDatabase } from "../database.ts";
import { acquireInstanceLock } from "../instance-lock.ts";
import { type InstanceKeys, loadKeys } from "../keys.ts";
import { endLeftoverProcess } from "../leftover-process.ts";
import { refuseNewerData, refuseOlderData } from "../migrations.ts";
import { bringUpToDate, openForCommand, reachServer } from "../postgres/open-server.ts";
import type { ServerAddress } from "../postgres/server-address.ts";
import { refuseOtherKeys } from "../postgres/used-keys.ts";
import type { SqlSession } from "../sql-session.ts";
import { StartError } from "../../start-error.ts";
import { writeSynced } from "../synced-files.ts";
import { tableWithRows } from "./tables.ts";

/** A database that is copied from or to, which nobody else uses meanwhile. */
export interface Place {
  session: SqlSession;
  keys: InstanceKeys;
  close(): Promise<void>;
}

export interface PlaceOptions {
  migrations: string;
  log: (line: string) => void;
}

const siteUrl = "http://127.0.0.1";

/** Opens the embedded database of a data directory to be read. Throws StartError when a studio has it, or has never had. */
export async function openSourceDirectory(path: string, { migrations, log }: PlaceOptions): Promise<Place> {
  const directory = dataDirectoryAt(path);
  if (!existsSync(directory.database)) {
    throw new StartError(
      `${directory.root} holds no database of a studio.`,
      "Name the directory that `npm start` used.",
    );
  }
  const keys = await loadKeys(directory.keys, { mayCreate: false });
  const place = await openDirectory(directory, keys, log);
  await closedOnFailure(place, async () => {
    const words = { name: `The data directory ${directory.root}`, instead: "name another one" };
    await refuseNewerData(place.session, migrations, words);
    await refuseOlderData(place.session, migrations, words);
  });
  return place;
}

/**
 * Opens a new data directory, or one without rows, to be written. Its keys are those of the source, or what is sealed with them
 * could not be opened. Throws StartError when it holds anything.
 */
export async function openTargetDirectory(path: string, keys: InstanceKeys, options: PlaceOptions): Promise<Place> {
  const isNew = !existsSync(dataDirectoryAt(path).database);
  const directory = await prepareDataDirectory(path);
  await keepKeys(directory, keys, { mayCreate: isNew });
  const place = await openDirectory(directory, keys, options.log);
  await closedOnFailure(place, async () => {
    if (!isNew) await refuseRows(place.session, directory.root);
    const words = { name: `The data directory ${directory.root}`, instead: "name another one" };
    await prepareAnswers(place.connection, place.session, { keys, siteUrl, migrations: options.migrations }, words);
  });
  return place;
}

/** Opens a server's database to be read. Throws StartError when a studio uses it, or one with other keys than these has. */
export async function openSourceServer(
  address: ServerAddress,
  keys: InstanceKeys,
  keysPath: string,
  { migrations, log }: PlaceOptions,
): Promise<Place> {
  const { keyMarks } = await reachServer(address, log);
  if (keyMarks.size === 0) {
    throw new StartError(
      `No studio has used the database ${address.shown}.`,
      "Name the one that `npm start -- --database` used.",
    );
  }
  refuseOtherKeys(keyMarks, keys, address, keysPath);
  const place = await openServerPlace(address, keys);
  await closedOnFailure(place, async () => {
    const words = { name: `The database ${address.shown}`, instead: "name another one" };
    await refuseStudios(place.session, address);
    await refuseNewerData(place.session, migrations, words);
    await refuseOlderData(place.session, migrations, words);
  });
  return place;
}

/** Opens a server's database without rows to be written, and brings it up to date, or to `until`. Throws StartError when it holds anything. */
export async function openTargetServer(
  address: ServerAddress,
  keys: InstanceKeys,
  keysPath: string,
  { migrations, log, until }: PlaceOptions & { until?: string },
): Promise<Place> {
  const { keyMarks } = await reachServer(address, log);
  const place = await openServerPlace(address, keys);
  await closedOnFailure(place, async () => {
    await refuseRows(place.session, address.shown);
    refuseOtherKeys(keyMarks, keys, address, keysPath);
    await refuseStudios(place.session, address);
    await bringUpToDate(address, { migrations, siteUrl, keys, keysPath, ...(until && { until }) });
  });
  return place;
}

async function openDirectory(directory: DataDirectory, keys: InstanceKeys, log: (line: string) => void) {
  const lock = await acquireInstanceLock(directory.instance, () => {
    log("A studio has taken over the data directory.");
    process.exit(1);
  });
  try {
    await endLeftoverProcess(directory.databaseProcess);
    await prepareDatabaseFiles(directory);
    const connection = await openDatabase(directory.database);
    const close = async () => {
      await connection.close();
      lock.release();
    };
    return { connection, session: connection.driver, keys, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openServerPlace(address: ServerAddress, keys: InstanceKeys): Promise<Place> {
  const session = await openForCommand(address);
  return { session, keys, close: async () => session.close() };
}

async function closedOnFailure(place: Place, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    await place.close();
    throw error;
  }
}

/** Puts the keys into a directory that has none. */
export async function keepKeys(
  directory: DataDirectory,
  keys: InstanceKeys,
  { mayCreate }: { mayCreate: boolean },
): Promise<void> {
  if (mayCreate && !existsSync(directory.keys)) {
    writeSynced(directory.keys, `${JSON.stringify(keys, null, 2)}\n`);
    return;
  }
  const own = await loadKeys(directory.keys, { mayCreate: false });
  if (JSON.stringify(own) === JSON.stringify(keys)) return;
  throw new StartError(
    `${directory.keys} holds other keys than those of the data.`,
    "Nothing was changed. Name a new directory: credentials and sessions are of no use without the keys that they were made with.",
  );
}

async function refuseRows(session: SqlSession, shown: string): Promise<void> {
  const table = await tableWithRows(session);
  if (table === undefined) return;
  throw new StartError(
    `${shown} holds rows already (${table}).`,
    "Nothing was changed. Data are copied into an empty database only: name a new one.",
  );
}

/** Studios that were just stopped may take a moment to be gone. */
async function refuseStudios(session: SqlSession, { shown }: ServerAddress): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { rows } = await session.query(
      `select from pg_stat_activity where datname = current_database() and application_name in ('switchyard', 'switchyard-worker')`,
    );
    if (rows.length === 0) return;
    await sleep(200);
  }
  throw new StartError(
    `A studio or a worker uses the database ${shown}.`,
    "Nothing was changed. Stop all of them, and copy again: what they write meanwhile would be lost.",
  );
}
