import { targetPolicy } from "../_shared/endpoint.ts";
import { jsonEndpoint } from "../_shared/json-endpoint.ts";
import { createFileStorage } from "../_shared/files/file-storage.ts";
import { findCurrentCredential } from "./current-credential.ts";
import { executeHttp } from "./execute-http.ts";

/**
 * `POST /functions/v1/execute-http`: one HTTP call on behalf of a signed-in user.
 *
 * Request: `{ method, url, headers, body | file | parts, binary?, query?, credential?, followRedirects?, maxRedirects?, timeoutMs?, allowedHosts? }`
 * as `executeHttpRequestSchema` says; `credential` is an id. Response: 200 with
 * `{ success, statusCode, headers, body, file?, truncated, error? }` for every target that was tried, whatever it answered, also
 * when the guard refused it (`error.code` is then `blocked_address`, `invalid_url`, …). Errors: 400 `invalid_config` for a
 * request that is not valid, 400 `invalid_credentials` for a credential that may not be used, 401, 429, 500.
 */
export const executeHttpEndpoint = jsonEndpoint({
  rateLimit: { bucket: "execute-http", perMinute: 240, concurrent: 20, slotSeconds: 150 },
  maxBytes: 6 * 1024 * 1024,
  async perform(body, caller, context, { signal }) {
    const find = findCurrentCredential(caller, context, signal);
    const storage = createFileStorage(context);
    let isRenewable = false;
    const answered = await executeHttp(body, {
      policy: targetPolicy(context.environment),
      resolve: context.resolve,
      connections: (credential) => context.connections.of(caller.userId, credential),
      signal,
      files: {
        describe: (id) => storage.describe({ owner: caller.userId }, id),
        open: (id, stopped) => storage.open({ owner: caller.userId }, id, stopped),
        async keep(file) {
          const kept = await storage.put(caller.userId, file, signal);
          context.background(storage.sweep());
          return kept;
        },
      },
      share: context.share,
      async findCredential(id) {
        const found = await find(id);
        isRenewable = found.ok && found.value.renew !== undefined;
        return found;
      },
    });
    if (answered.ok && answered.value.success && !isRenewable) context.keepAdmission();
    return answered;
  },
});
