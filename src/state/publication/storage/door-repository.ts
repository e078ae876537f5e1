import { z } from "zod/mini";
import type { Json } from "../../../engine/json.ts";
import { doorKinds } from "../../../engine/trust/run-sources.ts";
import { secretPlaces } from "../../../engine/credentials/secret-places.ts";
import { type SealSecrets, sealLater } from "../../shared/storage/seal-secrets.ts";
import type { DoorService } from "../../../services/services.ts";
import { execute, query } from "../../shared/storage/query.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const json = z.json() as z.ZodMiniType<Json>;

const doorRow = z.object({
  enabled: z.boolean(),
  config: z.record(z.string(), json),
  secrets: z.array(z.string()),
  known_deliveries: z.number(),
  known_delivery_at: z.nullable(z.string()),
});

const listedRow = z.object({ kind: z.enum(doorKinds), enabled: z.boolean(), config: z.record(z.string(), json) });

const requestRow = z.object({ request: json, received_at: z.string() });

/** Doors in `studio_doors`; rows are written by functions alone. */
export function createDoorRepository(
  { database, config }: Pick<SupabaseClient, "database" | "config">,
  seal: SealSecrets = sealLater,
): DoorService {
  async function sealed(
    workflowId: string,
    kind: string,
    secrets: Readonly<Record<string, string | null>>,
  ): Promise<Record<string, string | null>> {
    const set = Object.entries(secrets).flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]));
    const places = set.map(([name, text]) => [secretPlaces.door(kind, name), text]);
    const bySeal = await seal(workflowId, Object.fromEntries(places));
    const stored = set.map(([name, text]) => [name, bySeal[secretPlaces.door(kind, name)] ?? text]);
    return { ...secrets, ...Object.fromEntries(stored) };
  }

  return {
    async find(workflowId, kind) {
      const found = database.from("studio_doors").select("enabled,config,secrets,known_deliveries,known_delivery_at");
      const rows = await query(
        "look up how the workflow is reached",
        z.array(doorRow),
        found.eq("workflow_id", workflowId).eq("kind", kind),
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      const { known_deliveries: count, known_delivery_at: lastAt, ...door } = row;
      return { ...door, ...(lastAt === null ? {} : { knownDeliveries: { count, lastAt } }) };
    },

    list: (workflowId) =>
      query(
        "look up how the workflow is reached",
        z.array(listedRow),
        database.from("studio_doors").select("kind,enabled,config").eq("workflow_id", workflowId),
      ),

    async save(workflowId, kind, { enabled, config: settings, secrets }) {
      const stored = secrets ? await sealed(workflowId, kind, secrets) : null;
      await execute(
        "save how the workflow is reached",
        database.rpc("studio_save_door", {
          p_workflow_id: workflowId,
          p_kind: kind,
          p_enabled: enabled,
          p_config: settings,
          p_secrets: stored,
        }),
      );
    },

    // The embedded studio has short addresses; a hosted one reaches the function by its name.
    address: async (path) => `${config.supabaseUrl}${config.embedded ? "" : "/functions/v1/doors"}${path}`,

    async renewHookSecret(workflowId, secret, { keepPrevious }) {
      const { current } = await sealed(workflowId, "hook", { current: secret });
      await execute(
        "change the webhook's secret",
        database.rpc("studio_renew_hook_secret", {
          p_workflow_id: workflowId,
          p_secret: current ?? secret,
          p_keep_previous: keepPrevious,
        }),
      );
    },

    async lastHookRequest(workflowId) {
      const found = database.from("studio_hook_requests").select("request,received_at").eq("workflow_id", workflowId);
      const [row] = await query("look up the last request", z.array(requestRow), found);
      return row && { request: row.request, receivedAt: row.received_at };
    },
  };
}
