import { createClient } from "@redis/client";
import { checkDatabaseTarget } from "../_shared/database-target.ts";
import type { CredentialFields } from "../_shared/credential-types.ts";
import { failure, type Outcome } from "../_shared/failure.ts";
import { cancelledFailure } from "../_shared/network-failure.ts";
import type { ResolveHost } from "../_shared/resolve-host.ts";
import type { TargetPolicy } from "../_shared/target-policy.ts";
import { redisFailure } from "./redis-failure.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const WORK_TIMEOUT_MS = 10_000;

export type RedisOptions = {
  policy: TargetPolicy;
  signal?: AbortSignal | undefined;
  resolve?: ResolveHost | undefined;
  /** PEM of a further authority that TLS trusts. */
  certificateAuthority?: string | undefined;
};

export type RedisConnection = ReturnType<typeof newClient>;

/**
 * Connects to the Redis of a credential, does one piece of work and closes the connection. Fails with words for a refused
 * host, a wrong password, a refused or broken connection, a bad certificate, and after 10 seconds.
 */
export async function withRedis<Value>(
  fields: CredentialFields<"redis">,
  allowedHosts: readonly string[],
  options: RedisOptions,
  work: (redis: RedisConnection) => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  const target = await checkDatabaseTarget("Redis", fields, allowedHosts, options);
  if (!target.ok) return target;
  const { addresses, serverName } = target.value;
  let attempt: Attempt<Value> | undefined;
  for (const address of addresses) {
    const redis = newClient(fields, address, serverName, options.certificateAuthority);
    attempt = await attemptWork(redis, fields.tls, options.signal, work);
    // Another address of the same name is tried only where nothing was sent yet.
    if (!attempt.unreachable) break;
  }
  return attempt?.outcome ?? failure("network", "Redis has no address.", "Check the host in the credential.");
}

type Attempt<Value> = { outcome: Outcome<Value>; unreachable: boolean };

/** The client's own promises may stay open when its connection is broken from here, so they race with caller and clock. */
async function attemptWork<Value>(
  redis: RedisConnection,
  tls: boolean,
  signal: AbortSignal | undefined,
  work: (redis: RedisConnection) => Promise<Outcome<Value>>,
): Promise<Attempt<Value>> {
  const stop = whenStopped(signal);
  const run = async (): Promise<Attempt<Value>> => {
    let connected = false;
    try {
      await redis.connect();
      connected = true;
      return { outcome: await work(redis), unreachable: false };
    } catch (error) {
      const outcome = redisFailure(error, tls);
      return { outcome, unreachable: !connected && outcome.error.code === "network" };
    }
  };
  try {
    if (signal?.aborted === true) return { outcome: cancelledFailure(), unreachable: false };
    return await Promise.race([run(), stop.outcome.then((outcome) => ({ outcome, unreachable: false }))]);
  } finally {
    stop.end();
    if (redis.isOpen) redis.destroy();
  }
}

function newClient(
  { port, username, password, tls, database }: CredentialFields<"redis">,
  address: string,
  serverName: string | undefined,
  certificateAuthority: string | undefined,
) {
  const common = { host: address, port, connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: false as const };
  const secure = {
    ...common,
    tls: true as const,
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
  };
  const client = createClient({
    socket: tls ? secure : common,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    database,
    // The older protocol: every server and proxy speaks it, and it needs no greeting before the password.
    RESP: 2,
    disableClientInfo: true,
    maintNotifications: "disabled",
  });
  // Errors reach the caller through its promises; without a listener the process would end.
  client.on("error", () => undefined);
  return client;
}

/** Resolves when the caller goes away or the time is over; `end` stops waiting. */
function whenStopped(signal: AbortSignal | undefined) {
  let resolve: (outcome: ReturnType<typeof cancelledFailure>) => void = () => undefined;
  const outcome = new Promise<ReturnType<typeof cancelledFailure>>((settle) => (resolve = settle));
  const cancel = (): void => resolve(cancelledFailure());
  signal?.addEventListener("abort", cancel, { once: true });
  const timer = setTimeout(() => {
    resolve(failure("timeout", "Redis did not answer in time.", "Try again; if it stays so, check the server."));
  }, WORK_TIMEOUT_MS);
  return {
    outcome,
    end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    },
  };
}
