import type { Credential, CredentialType } from "../_shared/credential-types.ts";
import { describeIssues } from "../_shared/describe-issues.ts";
import { failure, type Outcome } from "../_shared/failure.ts";
import { type RedisOptions, withRedis } from "./open-redis.ts";
import type { RedisConnection } from "./redis-connection.ts";
import { type RedisMemoryRequest, redisMemoryRequestSchema } from "./request.ts";
import {
  appendToSession,
  beginningsOf,
  clearSession,
  listSessions,
  loadSession,
  replaceInSession,
} from "./session-commands.ts";

/** A credential whose secret is read only when it is about to be used. */
interface OpenableCredential {
  type: CredentialType;
  allowedHosts: readonly string[];
  open(): Promise<Outcome<Credential>>;
}

/** What the function takes from outside. */
export type RedisMemoryDependencies = RedisOptions & {
  /** Whose conversations these are; part of every key. */
  owner: string;
  /** Finds a credential of the caller. Fails when they have none with this id. */
  findCredential(id: string): Promise<Outcome<OpenableCredential>>;
  /** Milliseconds since 1970. Default: the clock. */
  now?: (() => number) | undefined;
};

/**
 * Reads or writes conversations in the Redis of a credential; the requests are `redisMemoryRequestSchema`'s. Answers what
 * the action's command in `session-commands.ts` gives. Fails with `invalid_config`, `invalid_credentials`,
 * `blocked_address`, `network`, `bad_certificate`, `too_large`, `timeout` or `cancelled`.
 */
export async function redisMemory(input: unknown, dependencies: RedisMemoryDependencies): Promise<Outcome<object>> {
  const parsed = redisMemoryRequestSchema.safeParse(input);
  if (!parsed.success) return describeIssues(parsed.error, "The request");
  const found = await dependencies.findCredential(parsed.data.credential);
  if (!found.ok) return found;
  const { type, allowedHosts, open } = found.value;
  if (type !== "redis") {
    const message = `A credential of type ${type} cannot be used for Redis.`;
    return failure("invalid_credentials", message, "Choose a Redis credential on the memory node.");
  }
  const opened = await open();
  if (!opened.ok) return opened;
  if (opened.value.type !== "redis") throw new Error("The type of a credential changed while it was read.");
  const { owner, now = Date.now } = dependencies;
  return await withRedis(opened.value.fields, allowedHosts, dependencies, (redis) =>
    answer(redis, owner, parsed.data, now()),
  );
}

function answer(
  redis: RedisConnection,
  owner: string,
  request: RedisMemoryRequest,
  now: number,
): Promise<Outcome<object>> {
  switch (request.action) {
    case "load":
      return loadSession(redis, owner, request);
    case "append":
      return appendToSession(redis, owner, request, now);
    case "replace":
      return replaceInSession(redis, owner, request);
    case "clear":
      return clearSession(redis, owner, request);
    case "beginnings":
      return beginningsOf(redis, owner, request);
    case "sessions":
      return listSessions(redis, owner, request);
    default:
      return request satisfies never;
  }
}
