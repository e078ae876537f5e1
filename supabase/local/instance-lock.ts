import { randomUUID } from "node:crypto";
import { readFileSync, unlinkSync } from "node:fs";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { z } from "zod";
import { identityOf, isAlive, processIdentity } from "./process-identity.ts";
import { StartError, systemErrorCode } from "./start-error.ts";

const recordSchema = processIdentity.extend({
  instance: z.string(),
  /** Set once the instance answers. */
  apiUrl: z.string().optional(),
  /** What a person opens. */
  siteUrl: z.string().optional(),
  publishableKey: z.string().optional(),
  dataDir: z.string().optional(),
});

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
 * Takes the lock of a data directory by creating `path`. The lock of a dead process is taken over.
 * Throws StartError while another instance holds it.
 */
export async function acquireInstanceLock(path: string): Promise<InstanceLock> {
  const record: InstanceRecord = {
    instance: randomUUID(),
    ...identityOf(process.pid),
  };
  const draft = `${path}.${record.instance}`;
  try {
    await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
    for (let attempt = 0; !(await linkIfFree(draft, path)); attempt += 1) {
      const holder = await readRecord(path);
      if ((holder && isAlive(holder)) || attempt >= 3) throw inUse(holder);
      await discardStale(path, holder);
    }
  } finally {
    await rm(draft, { force: true });
  }
  return {
    instance: record.instance,
    async announce(details) {
      await writeFile(draft, JSON.stringify({ ...record, ...details }), { mode: 0o600 });
      await rename(draft, path);
    },
    release() {
      try {
        const current = recordSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
        if (current.success && current.data.instance === record.instance) unlinkSync(path);
      } catch {
        // Gone or unreadable: then it is not ours to remove.
      }
    },
  };
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
