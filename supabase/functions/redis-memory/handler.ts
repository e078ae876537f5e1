import { targetPolicy } from "../_shared/endpoint.ts";
import { credentialFinder, jsonEndpoint } from "../_shared/json-endpoint.ts";
import { redisMemory } from "./redis-memory.ts";

/**
 * `POST /functions/v1/redis-memory`: conversations of a signed-in user in their own Redis.
 *
 * Request: `{ action: "load" | "append" | "replace" | "clear" | "sessions", credential, keyPrefix, workflowId, sessionId, … }`
 * as `redisMemoryRequestSchema` says; `credential` is an id. The user's id is part of every key, so that no request reaches
 * another user's. Response: 200 with `{ messages, expired }`, `{ length }`, `{ done }` or `{ sessions }`. Errors: 400
 * `invalid_config`, 400 `invalid_credentials` (also a password that Redis refuses), 401, 403 `blocked_address`, 429, 502
 * `network`, `bad_certificate` or `too_large`, 504 `timeout`, 500.
 */
export const redisMemoryEndpoint = jsonEndpoint({
  rateLimit: { bucket: "redis-memory", perMinute: 600, concurrent: 60, slotSeconds: 30 },
  maxBytes: 6 * 1024 * 1024,
  perform: (body, caller, context, { signal }) =>
    redisMemory(body, {
      owner: caller.userId,
      policy: { ...targetPolicy(context.environment), allowLoopback: context.environment.isLocal },
      resolve: context.resolve,
      signal,
      share: context.share,
      findCredential: credentialFinder(caller, context),
    }),
});
