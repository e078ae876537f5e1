import { z } from "zod/mini";
import { ServiceError, type StorageService } from "../../../services/services.ts";
import { query } from "../../shared/storage/query.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const useRows = z.array(
  z.object({
    kind: z.enum(["rows", "bytes", "events", "documents", "uploads"]),
    used: z.number(),
    most: z.number(),
  }),
);

const studioState = z.object({
  paused: z.boolean(),
  mayResume: z.boolean(),
  backup: z.nullable(
    z.object({
      createdAt: z.nullable(z.string()),
      failure: z.nullable(z.object({ at: z.string() })),
    }),
  ),
});

/** What the database counts of the signed-in user, and what the studio says of its backups. */
export function createStorageService(
  { database, send }: Pick<SupabaseClient, "database" | "send">,
  { embedded }: { embedded: boolean },
): StorageService {
  return {
    async studio() {
      if (!embedded) return null;
      const response = await send("/operator/v1/state");
      if (!response.ok) throw new Error(`The studio did not say when it was backed up (status ${response.status}).`);
      return studioState.parse(await response.json());
    },
    async resume() {
      const response = await send("/operator/v1/resume", { method: "POST" });
      await response.body?.cancel();
      if (response.ok) return;
      throw new ServiceError(
        "server",
        "The studio was not resumed.",
        "Try again, or enter `npm run data -- resume` on the machine that runs it.",
      );
    },
    use: () => query("read how much is stored", useRows, database.rpc("studio_storage", {})),
    purge: () => query("delete what was deleted for good", z.number(), database.rpc("studio_purge_deleted", {})),
  };
}
