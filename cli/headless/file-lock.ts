import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

/** Who holds a lock: machine, process, and a mark that tells this process from an earlier one of the same number. */
const mark = [hostname(), process.pid, randomUUID()].join(" ");

/** Milliseconds between two tries, and until a wait is given up. */
const pauseMs = 20;
const waitMs = 20_000;

/**
 * Runs `work` while no other process does so for the same path, by a file beside it that names its process. One that a
 * killed process left behind is taken away. Rejects after 20 s in words that name the file.
 */
export async function withFileLock<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const lock = `${path}.lock`;
  for (let waited = 0; !(await made(lock)); waited += pauseMs) {
    if (waited >= waitMs) throw new Error(`another run holds it. If there is none, delete ${lock}.`);
    await removeIfLeft(lock);
    await delay(pauseMs);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Makes the file, unless it is there. */
async function made(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, mark, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Takes away a lock whose process is gone; a second file keeps two from doing so, the later one from taking a fresh lock. */
async function removeIfLeft(lock: string): Promise<void> {
  if (!(await isLeft(lock)) || !(await made(`${lock}.left`))) return;
  try {
    if (await isLeft(lock)) await rm(lock, { force: true });
  } finally {
    await rm(`${lock}.left`, { force: true });
  }
}

async function isLeft(lock: string): Promise<boolean> {
  const holder = await readFile(lock, "utf8").catch(() => "");
  const [machine, pid] = holder.split(" ");
  // Nothing: it is gone, or being written at this moment. Of another machine's processes nothing is known.
  if (holder === mark || machine !== hostname() || !/^[1-9]\d*$/.test(pid ?? "")) return false;
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
