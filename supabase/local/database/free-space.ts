import { statfs } from "node:fs/promises";
import { StartError } from "../start-error.ts";

const megabyte = 1_000_000;

/** Bytes that must be free where the data live: a new database takes 42 MB, and one that exists writes as it starts. */
export const spaceWanted = { new: 100 * megabyte, existing: 10 * megabyte };

/**
 * Checks that the disk of a directory has so many bytes free for this user. Throws StartError when it has not: Postgres,
 * once started, would fail in the middle of a file.
 */
export async function checkFreeSpace(directory: string, wanted: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  if (free >= wanted) return;
  const inMegabytes = (bytes: number) => `${Math.floor(bytes / megabyte)} MB`;
  throw new StartError(
    `The disk is full: the data directory ${directory} has ${inMegabytes(free)} free and needs ${inMegabytes(wanted)}.`,
    "Nothing was changed. Free some space, or choose a directory on another disk with --data <dir>.",
  );
}
