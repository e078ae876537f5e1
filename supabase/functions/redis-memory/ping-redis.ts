import type { CredentialFields } from "../_shared/credential-types.ts";
import { success, type Outcome } from "../_shared/failure.ts";
import { type RedisOptions, withRedis } from "./open-redis.ts";

/** Connects with a credential and asks for a sign of life. Fails as `withRedis` does. */
export function pingRedis(
  fields: CredentialFields<"redis">,
  allowedHosts: readonly string[],
  options: RedisOptions,
): Promise<Outcome<null>> {
  return withRedis(fields, allowedHosts, options, async (redis) => {
    await redis.send(["PING"]);
    return success(null);
  });
}
