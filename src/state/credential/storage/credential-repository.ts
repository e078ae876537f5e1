import { localServerIds } from "../../../engine/vendors/local-servers.ts";
import { z } from "zod/mini";
import type { JsonObject } from "../../../engine/json.ts";
import {
  type CredentialRepository,
  type CredentialSummary,
  type CredentialUses,
  ServiceError,
} from "../../../services/services.ts";
import { callEdgeFunction } from "../../shared/storage/call-edge-function.ts";
import { execute, query } from "../../shared/storage/query.ts";
import { listParameters, readAll, readPage } from "../../shared/storage/read-pages.ts";
import { isUuid } from "../../shared/storage/is-uuid.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const row = z.pipe(
  z.object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    last_four: z.nullable(z.string()),
    allowed_hosts: z.array(z.string()),
    settings: z.record(z.string(), z.json()),
    updated_at: z.string(),
  }),
  z.transform((found): CredentialSummary => ({
    id: found.id,
    name: found.name,
    type: found.type,
    lastFour: found.last_four ?? "",
    allowedHosts: found.allowed_hosts,
    settings: found.settings,
    updatedAt: found.updated_at,
  })),
);

const saved = z.object({ id: z.string() });
const tested = z.object({
  ok: z.boolean(),
  message: z.string(),
  hint: z.optional(z.string()),
  field: z.optional(z.enum(["apiKey", "baseUrl"])),
});
const savedOrNot = z.union([saved, z.object({ unsaved: tested })]);
const foundLocally = z.object({
  servers: z.array(
    z.object({
      id: z.enum(localServerIds),
      baseUrl: z.string(),
      models: z.array(z.string()),
      embeddingModels: z.array(z.string()),
    }),
  ),
});

const startedSignIn = z.object({
  // Other schemes would run or open something here instead of leading there.
  authorizationUrl: z.url({ protocol: /^https?$/ }),
  state: z.string(),
  pending: z.record(z.string(), z.json()),
});

const usesRow = z.object({
  credential_id: z.string(),
  workflow_id: z.string(),
  workflow_name: z.string(),
  total: z.coerce.number(),
});

const columns = "id,name,type,last_four,allowed_hosts,settings,updated_at";

/** Each comes back with ten workflows at most. */
const idsPerRequest = 50;

/**
 * Credentials without their secrets. Names and lists come from `studio_credentials`; whatever touches a secret goes
 * through the `credentials` edge function, which never gives one back.
 */
export function createCredentialRepository(client: SupabaseClient, { local = false } = {}): CredentialRepository {
  const table = () => client.database.from("studio_credentials");

  const call = <Schema extends z.ZodMiniType>(what: string, schema: Schema, body: JsonObject, name = "credentials") =>
    callEdgeFunction(client, name, { what, schema, body });

  const page = ({ types, ids, ...request }: Parameters<CredentialRepository["page"]>[0] & { ids?: string[] }) => {
    const filter = { ...listParameters(request), p_types: types ?? null, p_ids: ids ?? null };
    return readPage("list your credentials", row, client.database.rpc("studio_list_credentials", filter), request);
  };

  async function readSaved(id: string): Promise<CredentialSummary> {
    const rows = await query("read the credential", z.array(row), table().select(columns).eq("id", id));
    const found = rows[0];
    if (found !== undefined) return found;
    throw new ServiceError("not-found", "The credential was saved, but has been deleted since.", "Reload the page.");
  }

  return {
    page,

    list: () => readAll(page),

    find: async (id) => (isUuid(id) ? (await page({ ids: [id], limit: 1 })).rows[0] : undefined),

    async uses(ids) {
      const uses = new Map<string, CredentialUses>();
      for (let start = 0; start < ids.length; start += idsPerRequest) {
        const asked = { p_credentials: ids.slice(start, start + idsPerRequest) };
        const request = client.database.rpc("studio_credential_uses", asked);
        for (const found of await query("find where credentials are used", z.array(usesRow), request)) {
          const known = uses.get(found.credential_id) ?? { workflows: [], total: found.total };
          known.workflows.push({ id: found.workflow_id, name: found.workflow_name });
          uses.set(found.credential_id, known);
        }
      }
      return uses;
    },

    async save(credential) {
      const { id } = await call("save the credential", saved, { action: "save", ...credential });
      return readSaved(id);
    },

    async saveTested(credential) {
      const body = { action: "save", test: true, ...credential };
      const answer = await call("save the credential", savedOrNot, body);
      return "unsaved" in answer ? answer : readSaved(answer.id);
    },

    async rename(id, name) {
      const renamed = await query(
        "rename the credential",
        z.array(saved),
        table().update({ name }).eq("id", id).select("id"),
      );
      if (renamed.length === 0)
        throw new ServiceError("not-found", "This credential does not exist.", "Reload the page.");
    },

    findLocalModels: local
      ? async () => (await call("look for models on this machine", foundLocally, { action: "find-local" })).servers
      : null,

    test: (id) => call("test the credential", tested, { action: "test", id }),

    startSignIn: (id, redirectUrl) =>
      call("begin the sign-in", startedSignIn, { action: "start", credential: id, redirectUrl }, "mcp-sign-in"),

    async finishSignIn(id, answer) {
      await call("finish the sign-in", saved, { action: "finish", credential: id, ...answer }, "mcp-sign-in");
    },

    remove: (id) => execute("delete the credential", table().delete().eq("id", id)),
  };
}
