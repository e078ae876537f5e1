import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { checkFiles, readManifest } from "./backup-manifest.ts";
import { errorText } from "../start-error.ts";

export interface DailyBackupOptions {
  /** Holds a folder for each backup. */
  folder: string;
  /** How many are kept. */
  keep: number;
  /** Tells this studio's backups from those of others. */
  studio: string;
  /** Makes one in a folder that does not exist yet. Rejects with what went wrong. */
  backUp: (folder: string) => Promise<void>;
  log: (line: string) => void;
}

const dayMs = 24 * 3_600_000;
/** After a failure. */
const retryMs = 3_600_000;
/** A studio that has just started has other things to do. */
const settleMs = 60_000;

const nameOf = (now: Date): string => `switchyard-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
const removedName = /^switchyard-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.removed-[0-9a-f]{8}$/;
const ownName = /^switchyard-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/** Makes a backup a day after the last one. `stop` lets one that is under way go on. */
export function startDailyBackups(options: DailyBackupOptions): { stop(): void } {
  const { folder, log } = options;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const plan = (ms: number) => {
    if (stopped) return;
    timer = setTimeout(() => void work(), ms);
    timer.unref();
  };

  async function work(): Promise<void> {
    try {
      await makeDailyBackup(options);
      plan(dayMs);
    } catch (error) {
      log(
        `The daily backup to ${folder} failed: ${errorText(error)} It is tried again in an hour; older backups are kept.`,
      );
      plan(retryMs);
    }
  }

  void ownBackups(folder, options.studio).then(
    ([newest]) => plan(newest ? Math.max(settleMs, newest.createdAt + dayMs - Date.now()) : settleMs),
    () => plan(settleMs),
  );
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Makes one backup and verifies it; only then those that are too many are removed. Gives its folder. */
export async function makeDailyBackup(
  { folder, keep, studio, backUp }: DailyBackupOptions,
  now = new Date(),
): Promise<string> {
  const made = join(resolve(folder), nameOf(now));
  await removeLeftovers(resolve(folder));
  await backUp(made);
  await checkFiles(made, await readManifest(made));
  const others = (await ownBackups(folder, studio)).filter(({ path }) => path !== made);
  for (const { path } of others.slice(Math.max(0, keep - 1))) {
    // Half a backup never has the name of one.
    const aside = `${path}.removed-${randomUUID().slice(0, 8)}`;
    await rename(path, aside);
    await rm(aside, { recursive: true, force: true });
  }
  return made;
}

/** What was being removed when its process ended. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => removedName.test(one))) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Backups of this studio that were made here by themselves, the newest first. Nothing else in the folder is ever touched. */
async function ownBackups(folder: string, studio: string): Promise<{ path: string; createdAt: number }[]> {
  const found: { path: string; createdAt: number }[] = [];
  for (const entry of await readdir(resolve(folder), { withFileTypes: true })) {
    if (!entry.isDirectory() || !ownName.test(entry.name)) continue;
    const path = join(resolve(folder), entry.name);
    const manifest = await readManifest(path).catch(() => null);
    if (manifest?.studio === studio) found.push({ path, createdAt: Date.parse(manifest.createdAt) });
  }
  return found.toSorted((one, other) => other.createdAt - one.createdAt);
}

/** Backs up as `npm run data -- backup` does, in a process of its own: the studio goes on meanwhile. */
export function backUpByCommand(options: {
  projectRoot: string;
  dataDir: string;
  /** Of a server's database; it stands in no list of processes. */
  databaseUrl: string | undefined;
}): (folder: string) => Promise<void> {
  const { projectRoot, dataDir, databaseUrl } = options;
  return (folder) =>
    new Promise((done, fail) => {
      const { STUDIO_DATABASE_URL: _, ...environment } = process.env;
      const child = spawn(process.execPath, [join("cli", "data.mjs"), "backup", folder, "--data", dataDir], {
        cwd: projectRoot,
        env: { ...environment, ...(databaseUrl === undefined ? {} : { STUDIO_DATABASE_URL: databaseUrl }) },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let said = "";
      child.stderr.on("data", (data: Buffer) => (said = (said + data.toString()).slice(-2_000)));
      child.once("error", fail);
      child.once("close", (code) => {
        if (code === 0) done();
        else fail(new Error(said.trim().replaceAll(/\s*\n\s*/g, " ") || `The command ended with exit code ${code}.`));
      });
    });
}
