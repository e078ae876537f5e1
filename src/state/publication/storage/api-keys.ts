import { z } from "zod/mini";
import { type ApiKey, type ApiKeyService, ServiceError } from "../../../services/services.ts";
import { execute, query } from "../../shared/storage/query.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const limit = z.catch(z.optional(z.number().check(z.positive())), undefined);

const keyRow = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  limits: z.object({
    origins: z.catch(z.optional(z.array(z.string())), undefined),
    perMinute: limit,
    concurrent: limit,
    dayUsd: limit,
    monthUsd: limit,
  }),
  created_at: z.string(),
  expires_at: z.nullable(z.string()),
  last_used_at: z.nullable(z.string()),
  revoked_at: z.nullable(z.string()),
});

const useRow = z.object({
  id: z.string(),
  day_usd: z.coerce.number(),
  month_usd: z.coerce.number(),
  runs: z.coerce.number(),
});

const made = z.object({ id: z.string(), key: z.string() });

const columns = "id,name,prefix,scopes,limits,created_at,expires_at,last_used_at,revoked_at";
const mostShown = 500;

/** Keys in `studio_api_keys`; rows are written by functions alone. */
export function createApiKeys({ database }: Pick<SupabaseClient, "database">): ApiKeyService {
  return {
    async list() {
      const what = "list the API keys";
      const rows = database.from("studio_api_keys").select(columns);
      const [keys, uses] = await Promise.all([
        query(what, z.array(keyRow), rows.order("created_at", { ascending: false }).limit(mostShown)),
        query(what, z.array(useRow), database.rpc("studio_api_key_use", {})),
      ]);
      const useOf = new Map(uses.map((use) => [use.id, use]));
      return keys.map((row): ApiKey => {
        const use = useOf.get(row.id);
        return {
          id: row.id,
          name: row.name,
          prefix: row.prefix,
          scopes: row.scopes,
          limits: row.limits,
          createdAt: row.created_at,
          expiresAt: row.expires_at,
          lastUsedAt: row.last_used_at,
          revokedAt: row.revoked_at,
          spent: { dayUsd: use?.day_usd ?? 0, monthUsd: use?.month_usd ?? 0 },
          runs: use?.runs ?? 0,
        };
      });
    },

    async make({ name, scopes, limits, expiresAt }) {
      const parameters = { p_name: name, p_scopes: scopes, p_limits: limits, p_expires_at: expiresAt };
      const answer = await database.rpc("studio_make_api_key", parameters);
      if (answer.error?.message.includes("too_many_keys") === true) {
        const hint = "Revoke keys that are not needed any more.";
        throw new ServiceError("full", "There are 200 API keys already.", hint);
      }
      return (await query("make the API key", made, Promise.resolve(answer))).key;
    },

    revoke: (id) => execute("revoke the API key", database.rpc("studio_revoke_api_key", { p_id: id })),

    async slugs() {
      const rows = database.from("studio_publications").select("slug").order("slug").limit(mostShown);
      const found = await query("list what is published", z.array(z.object({ slug: z.string() })), rows);
      return found.map(({ slug }) => slug);
    },
  };
}
