import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod/mini";
import { createSharedReads } from "../../functions/_shared/shared-reads.ts";
import type { DatabaseService } from "../database/database-service.ts";

/**
 * What opens doors, in memory: which publications have an open webhook or chat page, and the hashes of API keys. What is not
 * among it can be refused without a look at the database. What is among it may have been closed just now; the door itself sees
 * to that.
 */
export interface OpenDoors {
  /** Whether a publication may have this door. */
  hasDoor(kind: "hook" | "chat", slug: string): Promise<boolean>;
  /** Of the key with this SHA-256 in hex. */
  keyState(hash: string): Promise<"open" | "expired" | "unknown">;
  close(): void;
}

/** Where others change the database as well, the looks of all who bring something unknown are at least so far apart. */
const pauseMs = 250;
/** How long somebody unknown waits for a look; then the door itself answers. */
const patienceMs = 1_500;
/** By so much the clocks of database and studio may differ. */
const clockToleranceMs = 60_000;

const lookSql = `select
  (select coalesce(json_agg(doors.kind || ' ' || publications.slug), '[]')
   from public.studio_doors as doors
   join public.studio_publications as publications on publications.workflow_id = doors.workflow_id
   where doors.enabled and (doors.kind = 'hook' or (doors.kind = 'chat' and publications.live is not null)))::text as doors,
  (select coalesce(json_agg(json_build_array(hashes.hash, extract(epoch from keys.expires_at) * 1000)), '[]')
   from private.studio_api_key_hashes as hashes join public.studio_api_keys as keys on keys.id = hashes.key_id
   where keys.revoked_at is null)::text as keys`;

const doorsSchema = z.array(z.string());
const keysSchema = z.array(z.tuple([z.string(), z.nullable(z.number())]));

interface Seen {
  doors: ReadonlySet<string>;
  /** With the time of their expiry. */
  keys: ReadonlyMap<string, number | null>;
  /** How often the database had been changed; null where that is not known. */
  changes: number | null;
}

/**
 * Looks when somebody brings what was not there at the last look, and something may have changed since: so whatever was opened,
 * by whichever process, is found by the first who needs it, and however many bring what was made up share a few looks.
 */
export function createOpenDoors(
  database: Pick<DatabaseService, "connect" | "changes">,
  now: () => number = Date.now,
): OpenDoors {
  const client = database.connect({ onlyReads: true });
  const shareLook = createSharedReads<void>(pauseMs);
  let seen: Seen | null = null;

  async function look(): Promise<void> {
    const changes = database.changes();
    const { rows } = await client.query<{ doors: string; keys: string }>(lookSql);
    const [row] = rows;
    if (!row) throw new Error("The database did not say which doors are open.");
    const doors = new Set(doorsSchema.parse(JSON.parse(row.doors)));
    seen = { doors, keys: new Map(keysSchema.parse(JSON.parse(row.keys))), changes };
  }

  /** What `read` finds, or `undefined` where it is certainly not there; `unsure` while the database cannot say. */
  async function find<Found>(read: (seen: Seen) => Found | undefined, unsure: Found): Promise<Found | undefined> {
    const found = seen === null ? undefined : read(seen);
    if (found !== undefined || isCurrent()) return found;
    const looked = shareLook("", look).then(
      () => true,
      () => false,
    );
    const isKnown = await Promise.race([looked, sleep(patienceMs, false, { ref: false })]);
    return isKnown && seen !== null ? read(seen) : unsure;
  }

  const isCurrent = (): boolean => seen !== null && seen.changes !== null && seen.changes === database.changes();

  return {
    hasDoor: async (kind, slug) =>
      (await find(({ doors }) => (doors.has(`${kind} ${slug}`) ? true : undefined), true)) ?? false,
    keyState: async (hash) =>
      (await find(({ keys }) => {
        const expiry = keys.get(hash);
        if (expiry === undefined) return undefined;
        return expiry !== null && expiry + clockToleranceMs < now() ? "expired" : "open";
      }, "open")) ?? "unknown",
    close: () => client.close(),
  };
}
