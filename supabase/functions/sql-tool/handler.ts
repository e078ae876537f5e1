import { targetPolicy } from "../_shared/endpoint.ts";
import { credentialFinder, jsonEndpoint } from "../_shared/json-endpoint.ts";
import { SessionPool } from "./session-pool.ts";
import { sqlTool } from "./sql-tool.ts";

const pool = new SessionPool();

/**
 * `POST /functions/v1/sql-tool`: one statement of a signed-in user in their own Postgres.
 *
 * Request: `sqlRequestSchema` of `src/nodes/tools/postgres/sql-request.ts`; `credential` is an id. Response: 200 with
 * `sqlResultSchema` of `sql-result.ts` beside it; also for what the database or a check objects to, so that a model reads it.
 * Times are in milliseconds. Errors: 400 `invalid_config`, 400 `invalid_credentials`, 401, 403 `blocked_address`, 429, 500.
 */
export const sqlToolEndpoint = jsonEndpoint({
  rateLimit: { bucket: "sql-tool", perMinute: 300, concurrent: 20, slotSeconds: 90 },
  maxBytes: 6 * 1024 * 1024,
  async perform(body, caller, context, { signal }) {
    const answered = await sqlTool(body, {
      policy: { ...targetPolicy(context.environment), allowLoopback: context.environment.isLocal },
      resolve: context.resolve,
      signal,
      share: context.share,
      pool,
      findCredential: credentialFinder(caller, context),
    });
    if (answered.ok && answered.value.success) context.keepAdmission();
    return answered;
  },
});
