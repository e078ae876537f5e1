import { z } from "zod/mini";
import type { StorageService } from "../../../services/services.ts";
import { query } from "../../shared/storage/query.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const useRows = z.array(
  z.object({
    kind: z.enum(["rows", "bytes", "events", "documents", "uploads"]),
    used: z.number(),
    most: z.number(),
  }),
);

/** What the database counts of the signed-in user. */
export function createStorageService({ database }: Pick<SupabaseClient, "database">): StorageService {
  return {
    use: () => query("read how much is stored", useRows, database.rpc("studio_storage", {})),
    purge: () => query("delete what was deleted for good", z.number(), database.rpc("studio_purge_deleted", {})),
  };
}
