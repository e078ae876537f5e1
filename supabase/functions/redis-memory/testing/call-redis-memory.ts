import { afterAll, beforeAll } from "vitest";
import type { CredentialFields } from "../../_shared/credential-types.ts";
import { success, type Failure } from "../../_shared/failure.ts";
import { startRedisServer, type RedisServer } from "../../_shared/testing/redis-server.ts";
import { redisMemory, type RedisMemoryDependencies } from "../redis-memory.ts";

/** Of the test's Redis. */
export const password = "test-key-redis-0123456789abcdef";

type Fields = Partial<CredentialFields<"redis">>;

/** Asks the function, as `alice`, about a Redis on loopback; the session is `s` unless the request names one. */
async function callRedisMemory(
  port: number,
  request: Record<string, unknown>,
  fields: Fields = {},
  options: Partial<RedisMemoryDependencies> = {},
): Promise<{ value: Record<string, unknown>; error?: Failure }> {
  const all = { host: "127.0.0.1", port, password, tls: false, database: 0, ...fields };
  const result = await redisMemory(
    { credential: "c", workflowId: "w", ...(request["action"] === "sessions" ? {} : { sessionId: "s" }), ...request },
    {
      owner: "alice",
      policy: { allowHosts: [], allowLoopback: true },
      findCredential: async () =>
        success({
          type: "redis",
          allowedHosts: [`${all.host}:${all.port}`],
          open: async () => success({ type: "redis", fields: all }),
        }),
      ...options,
    },
  );
  return result.ok ? { value: { ...result.value } } : { value: {}, error: result.error };
}

/** A message of the user. */
export const say = (text: string) => ({ role: "user", parts: [{ type: "text", text }] });

/** A Redis with a password while the tests of a file run, and the function asked about it. */
export function withRedis() {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer({ password });
  });
  afterAll(() => server.stop());
  return {
    port: () => server.port,
    call: (request: Record<string, unknown>, fields?: Fields, options?: Partial<RedisMemoryDependencies>) =>
      callRedisMemory(server.port, request, fields, options),
  };
}
