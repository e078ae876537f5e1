import { targetPolicy, type Endpoint } from "../_shared/endpoint.ts";
import { success } from "../_shared/failure.ts";
import { readJson } from "../_shared/read-body.ts";
import { respondFailure, respondJson } from "../_shared/respond.ts";
import { redisMemory } from "./redis-memory.ts";

const MAX_REQUEST_BYTES = 6 * 1024 * 1024;

/**
 * `POST /functions/v1/redis-memory`: conversations of a signed-in user in their own Redis.
 *
 * Request: `{ action: "load" | "append" | "replace" | "clear" | "sessions", credential, keyPrefix, workflowId, sessionId, … }`
 * as `redisMemoryRequestSchema` says; `credential` is an id. The user's id is part of every key, so that no request reaches
 * another user's. Response: 200 with `{ messages, expired }`, `{ length }`, `{ done }` or `{ sessions }`. Errors: 400
 * `invalid_config`, 400 `invalid_credentials` (also a password that Redis refuses), 401, 403 `blocked_address`, 429, 502
 * `network` or `bad_certificate`, 504 `timeout`, 500.
 */
export const redisMemoryEndpoint: Endpoint = {
  methods: ["POST"],
  rateLimit: { bucket: "redis-memory", perMinute: 600, concurrent: 60, slotSeconds: 30 },
  async handle(request, caller, context, release) {
    try {
      const input = await readJson(request, MAX_REQUEST_BYTES);
      if (!input.ok) return respondFailure(input.error);
      const result = await redisMemory(input.value, {
        owner: caller.userId,
        policy: { ...targetPolicy(context.environment), allowLoopback: context.environment.isLocal },
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
