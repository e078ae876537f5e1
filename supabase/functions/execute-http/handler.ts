import { targetPolicy, type Endpoint } from "../_shared/endpoint.ts";
import { success } from "../_shared/failure.ts";
import { readJson } from "../_shared/read-body.ts";
import { respondFailure, respondJson } from "../_shared/respond.ts";
import { executeHttp } from "./execute-http.ts";

const MAX_REQUEST_BYTES = 6 * 1024 * 1024;

/**
 * `POST /functions/v1/execute-http`: one HTTP call on behalf of a signed-in user.
 *
 * Request: `{ method, url, headers, body, query?, credential?, followRedirects?, maxRedirects?, timeoutMs?, allowedHosts? }`
 * as `executeHttpRequestSchema` says; `credential` is an id. Response: 200 with
 * `{ success, statusCode, headers, body, truncated, error? }` for every target that was tried, whatever it answered, also
 * when the guard refused it (`error.code` is then `blocked_address`, `invalid_url`, …). Errors: 400 `invalid_config` for a
 * request that is not valid, 400 `invalid_credentials` for a credential that may not be used, 401, 429, 500.
 */
export const executeHttpEndpoint: Endpoint = {
  methods: ["POST"],
  rateLimit: { bucket: "execute-http", perMinute: 240, concurrent: 20, slotSeconds: 60 },
  async handle(request, caller, context, release) {
    try {
      const input = await readJson(request, MAX_REQUEST_BYTES);
      if (!input.ok) return respondFailure(input.error);
      const result = await executeHttp(input.value, {
        policy: targetPolicy(context.environment),
        resolve: context.resolve,
        signal: request.signal,
        async findCredential(id) {
          const row = await context.credentials.find(caller, id);
          if (!row.ok) return row;
          const { type, allowed_hosts: allowedHosts } = row.value;
          return success({ type, allowedHosts, open: () => context.credentials.open(row.value) });
        },
      });
      return result.ok ? respondJson(result.value) : respondFailure(result.error);
    } finally {
      release();
    }
  },
};
