import { checkDatabaseTarget } from "../_shared/database-target.ts";
import type { ByteShare } from "../_shared/byte-budget.ts";
import type { CredentialFields } from "../_shared/credential-types.ts";
import { failure, type Outcome } from "../_shared/failure.ts";
import { cancelledFailure } from "../_shared/network-failure.ts";
import { openSocket } from "../_shared/open-socket.ts";
import type { ResolveHost } from "../_shared/resolve-host.ts";
import type { TargetPolicy } from "../_shared/target-policy.ts";
import { type RedisConnection, speakRedis } from "./redis-connection.ts";
import { redisFailure } from "./redis-failure.ts";

const workTimeoutMs = 10_000;

/** Which servers may be reached, and what ends the connection. */
export interface RedisOptions {
  policy: TargetPolicy;
  signal?: AbortSignal | undefined;
  resolve?: ResolveHost | undefined;
  /** PEM of a further authority that TLS trusts. */
  certificateAuthority?: string | undefined;
  /** Counts what the call holds in memory. */
  share?: ByteShare | undefined;
}

/**
 * Connects to the Redis of a credential, does one piece of work and closes the connection. Fails with words for a refused
 * host, a wrong password, a refused or broken connection, a bad certificate, an answer that is none or too long, and after
 * 10 seconds.
 */
export async function withRedis<Value>(
  fields: CredentialFields<"redis">,
  allowedHosts: readonly string[],
  options: RedisOptions,
  work: (redis: RedisConnection) => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  const checked = await checkDatabaseTarget("Redis", fields, allowedHosts, options);
  if (!checked.ok) return checked;
  const { port, tls } = fields;
  const target = { ...checked.value, port, tls, certificateAuthority: options.certificateAuthority };
  const closed = new AbortController();
  const stop = whenStopped(options.signal);
  const run = async (): Promise<Outcome<Value>> => {
    try {
      const redis = speakRedis(await openSocket(target, closed.signal, options.share));
      await signIn(redis, fields);
      return await work(redis);
    } catch (error) {
      return redisFailure(error, tls);
    }
  };
  try {
    if (options.signal?.aborted === true) return cancelledFailure();
    return await Promise.race([run(), stop.outcome]);
  } finally {
    stop.end();
    closed.abort();
  }
}

async function signIn(
  redis: RedisConnection,
  { username, password, database }: CredentialFields<"redis">,
): Promise<void> {
  if (username !== undefined || password !== undefined) {
    await redis.send(["AUTH", ...(username === undefined ? [] : [username]), password ?? ""]);
  }
  if (database !== 0) await redis.send(["SELECT", database]);
}

/** Resolves when the caller goes away or the time is over; `end` stops waiting. */
function whenStopped(signal: AbortSignal | undefined) {
  let resolve: (outcome: ReturnType<typeof cancelledFailure>) => void = () => undefined;
  const outcome = new Promise<ReturnType<typeof cancelledFailure>>((settle) => (resolve = settle));
  const cancel = (): void => resolve(cancelledFailure());
  signal?.addEventListener("abort", cancel, { once: true });
  const timer = setTimeout(() => {
    resolve(failure("timeout", "Redis did not answer in time.", "Try again. If it keeps happening, check the server."));
  }, workTimeoutMs);
  return {
    outcome,
    end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    },
  };
}
