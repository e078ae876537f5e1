import { randomUUID } from "node:crypto";
import { readFileSync, unlinkSync } from "node:fs";
import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod/mini";
import { identityOf, isAlive, processIdentity, systemName } from "./process-identity.ts";
import { StartError, systemErrorCode } from "../start-error.ts";

const recordSchema = z.extend(processIdentity, {
  instance: z.string(),
  /** Where its process number means something. */
  system: z.optional(z.string()),
  /** Set once the instance answers. */
  apiUrl: z.optional(z.string()),
  /** What a person opens. */
  siteUrl: z.optional(z.string()),
  publishableKey: z.optional(z.string()),
  dataDir: z.optional(z.string()),
});

/** How often a holder shows life, and after how much silence a lock of another system is free. */
const beatMs = 1_000;
const silenceMs = 6_000;

type InstanceRecord = z.infer<typeof recordSchema>;

/** The right to use a data directory, held until `release`. */
interface InstanceLock {
  /** Identifies this run; `/.well-known/switchyard` answers with it. */
  instance: string;
  /** Publishes where the instance answers, for `npm run status`. */
  announce(details: { apiUrl: string; siteUrl: string; publishableKey: string; dataDir: string }): Promise<void>;
  /** Removes the lock if it is still ours. Synchronous, so that it also works while the process exits. */
  release(): void;
}

/**
 * Takes the lock of a data directory by creating `path`. The lock of a dead process is taken over, and that of another system
 * when it shows no sign of life. `onLost` is called when this one was taken over, as after a long sleep: somebody else writes.
 * Throws StartError while another instance holds it.
 */
export async function acquireInstanceLock(path: string, onLost: () => void): Promise<InstanceLock> {
  const record: InstanceRecord = {
    instance: randomUUID(),
    ...identityOf(process.pid),
    system: systemName(),
  };
  const draft = `${path}.${record.instance}`;
  try {
    await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
    for (let attempt = 0; !(await linkIfFree(draft, path)); attempt += 1) {
      const holder = await readRecord(path);
      if ((holder && (await isHeld(holder, path))) || attempt >= 3) throw inUse(holder);
      await discardStale(path, holder);
    }
  } finally {
    await rm(draft, { force: true });
  }
  const beats = setInterval(() => void beat(path, record.instance).then((ours) => ours || lose()), beatMs);
  beats.unref();
  const lose = () => {
    clearInterval(beats);
    onLost();
  };
  return {
    instance: record.instance,
    async announce(details) {
      await writeFile(draft, JSON.stringify({ ...record, ...details }), { mode: 0o600 });
      await rename(draft, path);
    },
    release() {
      clearInterval(beats);
      try {
        const current = recordSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
        if (current.success && current.data.instance === record.instance) unlinkSync(path);
      } catch {
        // Gone or unreadable: then it is not ours to remove.
      }
    },
  };
}

/** Whether the holder of a lock lives. The processes of another system cannot be seen, but their sign of life can. */
async function isHeld(holder: InstanceRecord, path: string): Promise<boolean> {
  if (holder.system === undefined || holder.system === systemName()) return isAlive(holder);
  const before = await touchedAt(path);
  for (let waited = 0; waited < silenceMs; waited += 250) {
    await sleep(250);
    if ((await touchedAt(path)) !== before) return true;
  }
  return false;
}

/** Compared with itself only: the clock may be that of a file server. */
async function touchedAt(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}

/** Shows life; false when the lock is somebody else's by now. */
async function beat(path: string, instance: string): Promise<boolean> {
  const record = await readRecord(path);
  if (record && record.instance !== instance) return false;
  const now = new Date();
  // A disk that fails for a moment is no reason to give up.
  await utimes(path, now, now).catch(() => undefined);
  return true;
}

async function linkIfFree(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function readRecord(path: string): Promise<InstanceRecord | null> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null;
  }
}

/** Moves the dead holder's lock away, unless someone else has already replaced it. */
async function discardStale(path: string, holder: InstanceRecord | null): Promise<void> {
  const aside = `${path}.stale-${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    throw error;
  }
  const moved = await readRecord(aside);
  if (moved && moved.instance !== holder?.instance) await linkIfFree(aside, path);
  await rm(aside, { force: true });
}

function inUse(holder: InstanceRecord | null): StartError {
  const where = holder?.apiUrl ? ` at ${holder.apiUrl}` : "";
  const who = holder ? ` (process ${holder.pid})` : "";
  return new StartError(
    `Switchyard is already running${where} with this data directory${who}.`,
    "Open that address, stop the other instance first, or start this one with another --data <dir>.",
  );
}
