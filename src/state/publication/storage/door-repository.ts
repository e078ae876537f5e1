import { z } from "zod/mini";
import type { Json } from "../../../engine/json.ts";
import { doorKinds } from "../../../engine/trust/run-sources.ts";
import type { DoorService, StoredDoor } from "../../../services/services.ts";
import { execute, query } from "../../shared/storage/query.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const json = z.json() as z.ZodMiniType<Json>;

const doorRow: z.ZodMiniType<StoredDoor> = z.object({
  enabled: z.boolean(),
  config: z.record(z.string(), json),
  secrets: z.array(z.string()),
});

const listedRow = z.object({ kind: z.enum(doorKinds), enabled: z.boolean(), config: z.record(z.string(), json) });

const requestRow = z.object({ request: json, received_at: z.string() });

/** Doors in `studio_doors`; rows are written by functions alone. */
export function createDoorRepository({ database, config }: Pick<SupabaseClient, "database" | "config">): DoorService {
  return {
    async find(workflowId, kind) {
      const found = database.from("studio_doors").select("enabled,config,secrets");
      const rows = await query(
        "look up how the workflow is reached",
        z.array(doorRow),
        found.eq("workflow_id", workflowId).eq("kind", kind),
      );
      return rows[0];
    },

    list: (workflowId) =>
      query(
        "look up how the workflow is reached",
        z.array(listedRow),
        database.from("studio_doors").select("kind,enabled,config").eq("workflow_id", workflowId),
      ),

    save: (workflowId, kind, { enabled, config: settings, secrets }) =>
      execute(
        "save how the workflow is reached",
        database.rpc("studio_save_door", {
          p_workflow_id: workflowId,
          p_kind: kind,
          p_enabled: enabled,
          p_config: settings,
          p_secrets: secrets ?? null,
        }),
      ),

    // The embedded studio has short addresses; a hosted one reaches the function by its name.
    address: async (path) => `${config.supabaseUrl}${config.embedded ? "" : "/functions/v1/doors"}${path}`,

    renewHookSecret: (workflowId, secret, { keepPrevious }) =>
      execute(
        "change the webhook's secret",
        database.rpc("studio_renew_hook_secret", {
          p_workflow_id: workflowId,
          p_secret: secret,
          p_keep_previous: keepPrevious,
        }),
      ),

    async lastHookRequest(workflowId) {
      const found = database.from("studio_hook_requests").select("request,received_at").eq("workflow_id", workflowId);
      const [row] = await query("look up the last request", z.array(requestRow), found);
      return row && { request: row.request, receivedAt: row.received_at };
    },
  };
}
