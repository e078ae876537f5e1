import { copyStoredFiles } from "../../backup/copy-stored-files.ts";
import { type DataDirectory, dataDirectoryAt, prepareDataDirectory } from "../data-directory.ts";
import { type InstanceKeys, loadKeys } from "../keys.ts";
import { isServerAddress, readServerAddress } from "../postgres/server-address.ts";
import { type CopiedTable, copyTables } from "./copy-tables.ts";
import {
  keepKeys,
  openSourceDirectory,
  openSourceServer,
  openTargetDirectory,
  openTargetServer,
  type Place,
  type PlaceOptions,
} from "./places.ts";

export interface CopyOptions extends PlaceOptions {
  /** A data directory, or the address of a server's database. */
  from: string;
  to: string;
  /** The data directory with the keys and the bytes of files of a server's database. */
  keysDirectory: string | undefined;
}

export interface Copied {
  tables: CopiedTable[];
  /** The directory whose keys and files the copy is used with. */
  keysDirectory: string;
}

/**
 * Copies everything that a studio keeps into an empty database: accounts and their sessions, workflows, runs, sealed
 * credentials. The keys and the bytes of files go with it. Throws StartError when either side cannot be used; then nothing is kept of the copy.
 */
export async function copyData(options: CopyOptions): Promise<Copied> {
  const { from, to, keysDirectory } = options;
  const directory = dataDirectoryAt(keysDirectory ?? from);
  const source = isServerAddress(from)
    ? await openSourceServer(readServerAddress(from), await keysOf(directory), directory.keys, options)
    : await openSourceDirectory(from, options);
  try {
    const own = isServerAddress(from) ? directory : dataDirectoryAt(from);
    const target = await openTarget(source.keys, own, options);
    const kept = isServerAddress(to) ? directory : dataDirectoryAt(to);
    try {
      // Before the rows, which are kept as a whole: bytes that no row names do no harm.
      if (kept.files !== own.files) await copyStoredFiles(own.files, kept.files);
      const tables = await copyTables(source.session, target.session);
      return { tables, keysDirectory: kept.root };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function keysOf(directory: DataDirectory): Promise<InstanceKeys> {
  return loadKeys(directory.keys, { mayCreate: false });
}

async function openTarget(keys: InstanceKeys, source: DataDirectory, options: CopyOptions): Promise<Place> {
  const { to, from, keysDirectory } = options;
  if (!isServerAddress(to)) return openTargetDirectory(to, keys, options);
  const target = await openTargetServer(readServerAddress(to), keys, source.keys, options);
  // Where the studio will look for them.
  if (keysDirectory !== undefined && !isServerAddress(from)) {
    await keepKeys(await prepareDataDirectory(keysDirectory), keys, { mayCreate: true });
  }
  return target;
}
