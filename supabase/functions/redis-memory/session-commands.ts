import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { failure, success } from "../_shared/failure.ts";
import type { RedisConnection } from "./open-redis.ts";
import type { RequestOf } from "./request.ts";
import { indexKey, readMember, sessionKeys } from "./session-keys.ts";

/** Conversations that the index remembers, the newest; also how many a list of them shows. */
const MAX_INDEXED = 5_000;
const MAX_LISTED = 500;
/** Marks an entry that is about to be taken out; no message is this text. */
const DELETED = "deleted";

const texts = z.array(z.string());
const record = z.record(z.string(), z.json());

/**
 * The last messages of a conversation. `expired` says that Redis has dropped it since it was last used, because its time
 * was over or memory short; it is said once.
 */
export async function loadSession(redis: RedisConnection, owner: string, request: RequestOf<"load">) {
  const { list, index, member } = sessionKeys(request.keyPrefix, owner, request);
  const from = request.limit === undefined ? 0 : -request.limit;
  const [stored, known] = await redis.multi().lRange(list, from, -1).zScore(index, member).exec();
  const messages = texts.parse(stored).map(readMessage);
  if (messages.some((message) => message === undefined)) {
    const message = "Redis holds something else than messages under this key.";
    return failure("invalid_config", message, "Choose another key prefix, or clear the session.");
  }
  const expired = messages.length === 0 && known !== null;
  if (expired) await redis.zRem(index, member);
  return success({ messages, expired });
}

/** Appends in one transaction: messages, expiry and index together or not at all. */
export async function appendToSession(
  redis: RedisConnection,
  owner: string,
  request: RequestOf<"append">,
  now: number,
) {
  const { list, index, member } = sessionKeys(request.keyPrefix, owner, request);
  const stored = request.messages.map((message) => JSON.stringify(message));
  const write = redis
    .multi()
    .rPush(list, stored)
    .zAdd(index, { score: now, value: member })
    .zRemRangeByRank(index, 0, -MAX_INDEXED - 1);
  const [length] = await (request.ttlSeconds > 0 ? write.expire(list, request.ttlSeconds) : write.persist(list)).exec();
  return success({ length: z.number().parse(length) });
}

/** Replaces or deletes one message, unless the conversation has changed at this place since it was read. */
export async function replaceInSession(redis: RedisConnection, owner: string, request: RequestOf<"replace">) {
  const { list, index, member } = sessionKeys(request.keyPrefix, owner, request);
  await redis.watch(list);
  const stored = await redis.lIndex(list, request.index);
  if (stored === null || !isDeepStrictEqual(readMessage(stored), request.expected)) {
    await redis.unwatch();
    return success({ done: false });
  }
  const write = redis.multi();
  if (request.message === null) write.lSet(list, request.index, DELETED).lRem(list, 1, DELETED);
  else write.lSet(list, request.index, JSON.stringify(request.message));
  if (request.ttlSeconds > 0) write.expire(list, request.ttlSeconds);
  try {
    await write.exec();
  } catch (error) {
    if (error instanceof Error && error.name === "WatchError") return success({ done: false });
    throw error;
  }
  // The last message gone is a cleared conversation, not an expired one.
  if (request.message === null && (await redis.exists(list)) === 0) await redis.zRem(index, member);
  return success({ done: true });
}

export async function clearSession(redis: RedisConnection, owner: string, request: RequestOf<"clear">) {
  const { list, index, member } = sessionKeys(request.keyPrefix, owner, request);
  await redis.multi().del(list).zRem(index, member).exec();
  return success({ done: true });
}

/** The caller's conversations of one workflow and the shared ones, the latest used first. `bytes` is Redis's estimate. */
export async function listSessions(redis: RedisConnection, owner: string, request: RequestOf<"sessions">) {
  const index = indexKey(request.keyPrefix, owner);
  const known = await redis.zRangeWithScores(index, 0, MAX_LISTED - 1, { REV: true });
  const sessions = known.flatMap(({ value, score }) => {
    const session = readMember(value);
    if (!session || (session.workflowId !== null && session.workflowId !== request.workflowId)) return [];
    return [{ ...session, lastUsedAt: score }];
  });
  const sized = await Promise.all(
    sessions.map(async (session) => {
      const { list } = sessionKeys(request.keyPrefix, owner, session);
      const [messages, seconds, bytes] = await Promise.all([redis.lLen(list), redis.ttl(list), sizeOf(redis, list)]);
      return { ...session, messages, bytes, expiresInSeconds: seconds >= 0 ? seconds : null };
    }),
  );
  return success({ sessions: sized.filter((session) => session.messages > 0) });
}

function readMessage(text: string): z.infer<typeof record> | undefined {
  try {
    return record.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Not every Redis-compatible server knows how large a key is. */
async function sizeOf(redis: RedisConnection, key: string): Promise<number | null> {
  try {
    return await redis.memoryUsage(key);
  } catch {
    return null;
  }
}
