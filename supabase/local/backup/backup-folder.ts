import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, rename, rm, statfs } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { identityOf, isAlive, systemName } from "../database/process-identity.ts";
import { syncPath, syncTree } from "../database/synced-files.ts";
import { errorText, StartError } from "../start-error.ts";

/** Drafts are named after the system and the process that make them, so that those of processes that ended are known. */
const draftName = /\.unfinished-([0-9a-f]{8})-(\d+)-([0-9a-f]{8})$/;

const short = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);
const startOf = (pid: number): string => short(identityOf(pid).processStart ?? "");

/** Removes the drafts in a folder whose process was ended before it could do that, as by Ctrl-C. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await namesIn(parent)) {
    const [, system, digits, start] = draftName.exec(name) ?? [];
    const pid = Number(digits);
    if (system !== short(systemName()) || !(pid > 0)) continue;
    if (isAlive({ pid, processStart: null }) && startOf(pid) === start) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

/**
 * Makes a folder as a whole or not at all: `fill` writes into a draft beside it, which gets the folder's name at the end and is
 * removed when that fails, or by the next one where the process was ended meanwhile. Throws StartError when the folder holds something, or cannot be written.
 */
export async function makeFolder<Made>(path: string, fill: (draft: string) => Promise<Made>): Promise<Made> {
  const folder = resolve(path);
  const own = `${short(systemName())}-${process.pid}-${startOf(process.pid)}`;
  const draft = join(dirname(folder), `${basename(folder)}.unfinished-${own}`);
  try {
    if ((await namesIn(folder)).length > 0) {
      throw new StartError(`${folder} holds files already.`, "Nothing was changed. Name a new folder.");
    }
    await mkdir(dirname(folder), { recursive: true });
    await removeLeftovers(dirname(folder));
    await mkdir(draft, { mode: 0o700 });
    await chmod(draft, 0o700);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `${folder} cannot be written: ${errorText(error)}.`,
      "Nothing was changed. Name another folder, or correct its permissions.",
      error,
    );
  }
  try {
    const made = await fill(draft);
    syncTree(draft);
    await rename(draft, folder);
    syncPath(dirname(folder));
    return made;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** Throws StartError for a folder within another one. */
export function refuseWithin(folder: string, other: string): void {
  const way = relative(resolve(other), resolve(folder));
  if (way.startsWith("..") || resolve(other, way) !== resolve(folder) || /^([a-z]:|[\\/])/i.test(way)) return;
  throw new StartError(
    `${resolve(folder)} is within ${resolve(other)}.`,
    "Nothing was changed. Name a folder outside of it, best on another disk.",
  );
}

/** Throws StartError when the disk of an existing folder has less than so many bytes free. */
export async function refuseFullDisk(folder: string, wanted: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= wanted) return;
  const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  throw new StartError(
    `The disk of ${folder} is full: ${inMegabytes(bavail * bsize)} are free, ${inMegabytes(wanted)} are needed.`,
    "Nothing was changed. Free some space, or name a folder on another disk.",
  );
}
