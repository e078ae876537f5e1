import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadKeys } from "../../supabase/local/database/keys.ts";
import { openTargetDirectory } from "../../supabase/local/database/moving/places.ts";
import type { SqlSession } from "../../supabase/local/database/sql-session.ts";

/** Gives a task a new embedded database to which the migrations of a folder are applied, which is gone afterwards. */
export async function withSchema<Result>(migrations: string, task: (session: SqlSession) => Promise<Result>) {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-schema-"));
  try {
    const keys = await loadKeys(join(folder, "keys.json"), { mayCreate: true });
    const place = await openTargetDirectory(join(folder, "data"), keys, { migrations, log: () => undefined });
    try {
      return await task(place.session);
    } finally {
      await place.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
