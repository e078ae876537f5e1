import { targetPolicy, type Endpoint } from "../_shared/endpoint.ts";
import { success } from "../_shared/failure.ts";
import { readJson } from "../_shared/read-body.ts";
import { respondFailure, respondJson } from "../_shared/respond.ts";
import { sqlTool } from "./sql-tool.ts";

const MAX_REQUEST_BYTES = 6 * 1024 * 1024;

/**
 * `POST /functions/v1/sql-tool`: one statement of a signed-in user in their own Postgres.
 *
 * Request: `sqlRequestSchema` of `src/nodes/tools/postgres/sql-request.ts`; `credential` is an id. Response: 200 with
 * `sqlResultSchema` of `sql-result.ts` beside it; also for what the database or a check objects to, so that a model reads it.
 * Times are in milliseconds. Errors: 400 `invalid_config`, 400 `invalid_credentials`, 401, 403 `blocked_address`, 429, 500.
 */
export const sqlToolEndpoint: Endpoint = {
  methods: ["POST"],
  rateLimit: { bucket: "sql-tool", perMinute: 300, concurrent: 20, slotSeconds: 90 },
  async handle(request, caller, context, release) {
    try {
      const input = await readJson(request, MAX_REQUEST_BYTES);
      if (!input.ok) return respondFailure(input.error);
      const result = await sqlTool(input.value, {
        policy: { ...targetPolicy(context.environment), allowLoopback: context.environment.isLocal },
        resolve: context.resolve,
        signal: request.signal,
        async findCredential(id) {
          const row = await context.credentials.find(caller, id);
          if (!row.ok) return row;
          const { type, allowed_hosts: allowedHosts, settings } = row.value;
          return success({ type, allowedHosts, settings, open: () => context.credentials.open(row.value) });
        },
      });
      return result.ok ? respondJson(result.value) : respondFailure(result.error);
    } finally {
      release();
    }
  },
};
