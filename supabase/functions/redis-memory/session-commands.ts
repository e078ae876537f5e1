import { isDeepStrictEqual } from "node:util";
import { z } from "zod/mini";
import { failure, success } from "../_shared/failure.ts";
import { JsonScan, maxJsonDepth, parseJson } from "../_shared/json-scan.ts";
import { TooMuchDataError } from "../_shared/open-socket.ts";
import { type Reply, ReplyError } from "./read-reply.ts";
import type { Command, RedisConnection } from "./redis-connection.ts";
import type { RequestOf } from "./request.ts";
import { indexKey, readMember, sessionKeys, writeKey } from "./session-keys.ts";

/** Conversations that the index remembers, the newest; a list shows all of them. */
const maxIndexed = 5_000;
/** How long a write can be repeated without adding anything: a browser may be offline for days. */
const writeSeconds = 14 * 24 * 60 * 60;
/** Values in all messages of a conversation together. */
const maxValues = 300_000;
/** Marks an entry that is about to be taken out; no message is this text. */
const deleted = "deleted";

const loadedResults = z.tuple([z.array(z.string()), z.nullable(z.string())]);
const record = z.record(z.string(), z.json());

/**
 * The last messages of a conversation. `expired` says that Redis has dropped it since it was last used, because its time
 * was over or memory short; it is said once.
 */
export async function loadSession(redis: RedisConnection, owner: string, request: RequestOf<"load">) {
  const { list, index, member } = sessionKeys(request.keyPrefix, owner, request);
  const from = request.limit === undefined ? 0 : -request.limit;
  const read = await redis.transaction([
    ["LRANGE", list, from, -1],
    ["ZSCORE", index, member],
  ]);
  const [stored, known] = loaded(read);
  const scan = new JsonScan({ depth: maxJsonDepth, values: maxValues });
  if (stored.some((text) => scan.read(text) === "values")) throw new TooMuchDataError("Messages of too many values.");
  const messages = stored.map(readMessage);
  if (messages.some((message) => message === undefined)) {
    const message = "Redis has something other than messages under this key.";
    return failure("invalid_config", message, "Choose another key prefix, or clear the session.");
  }
  const expired = messages.length === 0 && known !== null;
  if (expired) await redis.send(["ZREM", index, member]);
  return success({ messages, times: stored.map(readTime), expired });
}

/** The first messages of each of several conversations, in the order asked. */
export async function beginningsOf(redis: RedisConnection, owner: string, request: RequestOf<"beginnings">) {
  const first = await Promise.all(
    request.sessions.map(async (session) => {
      const { list } = sessionKeys(request.keyPrefix, owner, session);
      const stored = as(z.array(z.string()), await redis.send(["LRANGE", list, 0, 4]));
      return stored.flatMap((text) => readMessage(text) ?? []);
    }),
  );
  return success({ first });
}

/**
 * Appends in one transaction: messages, expiry and index together or not at all. A write whose id was used before adds
 * nothing.
 */
export async function appendToSession(
  redis: RedisConnection,
  owner: string,
  request: RequestOf<"append">,
  now: number,
) {
  const { list, index, member } = sessionKeys(request.keyPrefix, owner, request);
  const stored = request.messages.map((message, at) => storedText(message, request.times?.[at] ?? now));
  const made = request.writeId === undefined ? undefined : writeKey(request.keyPrefix, owner, request.writeId);
  if (made !== undefined) {
    await redis.send(["WATCH", made]);
    if ((await redis.send(["EXISTS", made])) === 1) {
      await redis.send(["UNWATCH"]);
      return success({ length: count(await redis.send(["LLEN", list])) });
    }
  }
  const results = await redis.transaction([
    ["RPUSH", list, ...stored],
    ["ZADD", index, now, member],
    ["ZREMRANGEBYRANK", index, 0, -maxIndexed - 1],
    request.ttlSeconds > 0 ? ["EXPIRE", list, request.ttlSeconds] : ["PERSIST", list],
    ...(made === undefined ? [] : [["SET", made, 1, "EX", writeSeconds]]),
  ]);
  // The same write was made at the same moment by somebody else.
  if (results === null && made !== undefined) return success({ length: count(await redis.send(["LLEN", list])) });
  return success({ length: count(results?.[0]) });
}

/** Replaces or deletes one message, unless the conversation has changed at this place since it was read. */
export async function replaceInSession(redis: RedisConnection, owner: string, request: RequestOf<"replace">) {
  const { list, index, member } = sessionKeys(request.keyPrefix, owner, request);
  await redis.send(["WATCH", list]);
  const stored = await redis.send(["LINDEX", list, request.index]);
  if (typeof stored !== "string" || !isDeepStrictEqual(readMessage(stored), request.expected)) {
    await redis.send(["UNWATCH"]);
    return success({ done: false });
  }
  const write: Command[] =
    request.message === null
      ? [
          ["LSET", list, request.index, deleted],
          ["LREM", list, 1, deleted],
        ]
      : [["LSET", list, request.index, storedText(request.message, readTime(stored))]];
  if (request.ttlSeconds > 0) write.push(["EXPIRE", list, request.ttlSeconds]);
  if ((await redis.transaction(write)) === null) return success({ done: false });
  // The last message gone is a cleared conversation, not an expired one.
  if (request.message === null && (await redis.send(["EXISTS", list])) === 0) await redis.send(["ZREM", index, member]);
  return success({ done: true });
}

/** Forgets a conversation, in one transaction with its entry in the index. */
export async function clearSession(redis: RedisConnection, owner: string, request: RequestOf<"clear">) {
  const { list, index, member } = sessionKeys(request.keyPrefix, owner, request);
  await redis.transaction([
    ["DEL", list],
    ["ZREM", index, member],
  ]);
  return success({ done: true });
}

/** The caller's conversations of one workflow and the shared ones, the latest used first. `bytes` is Redis's estimate. */
export async function listSessions(redis: RedisConnection, owner: string, request: RequestOf<"sessions">) {
  const index = indexKey(request.keyPrefix, owner);
  const known = scored(await redis.send(["ZREVRANGE", index, 0, maxIndexed - 1, "WITHSCORES"]));
  const sessions = known.flatMap(({ value, score }) => {
    const session = readMember(value);
    if (!session || (session.workflowId !== null && session.workflowId !== request.workflowId)) return [];
    return [{ ...session, lastUsedAt: score }];
  });
  const sized = await Promise.all(
    sessions.map(async (session) => {
      const { list } = sessionKeys(request.keyPrefix, owner, session);
      const asked = [redis.send(["LLEN", list]), redis.send(["TTL", list])] as const;
      const [[length, ttl], bytes] = await Promise.all([Promise.all(asked), sizeOf(redis, list)]);
      const seconds = count(ttl);
      return { ...session, messages: count(length), bytes, expiresInSeconds: seconds >= 0 ? seconds : null };
    }),
  );
  return success({ sessions: sized.filter((session) => session.messages > 0) });
}

/** A message as the list holds it, with its time in milliseconds since 1970 where that is known. */
function storedText(message: z.infer<typeof record>, at: number | null): string {
  return JSON.stringify(at === null ? message : { ...message, at });
}

function readMessage(text: string): z.infer<typeof record> | undefined {
  const stored = readRecord(text);
  if (stored === undefined) return undefined;
  const { at: _time, ...message } = stored;
  return message;
}

/** When a message was written; null for those of before times were kept. */
function readTime(text: string): number | null {
  const at = readRecord(text)?.["at"];
  return typeof at === "number" ? at : null;
}

function readRecord(text: string): z.infer<typeof record> | undefined {
  try {
    return record.safeParse(parseJson(text)).data;
  } catch {
    return undefined;
  }
}

/** Not every Redis-compatible server knows how large a key is. */
async function sizeOf(redis: RedisConnection, key: string): Promise<number | null> {
  try {
    return count(await redis.send(["MEMORY", "USAGE", key]));
  } catch {
    return null;
  }
}

/** What a conversation holds, and its time in the index, if it is there. */
function loaded(results: readonly Reply[] | null): z.infer<typeof loadedResults> {
  return as(loadedResults, results);
}

/** Members of a sorted set with their scores, which come in turn. */
function scored(reply: Reply): { value: string; score: number }[] {
  const words = as(z.array(z.string()), reply);
  return words.flatMap((value, at) => (at % 2 === 0 ? [{ value, score: Number(words[at + 1]) }] : []));
}

function count(reply: Reply | undefined): number {
  return as(z.number(), reply);
}

/** Throws a ReplyError where the server answers what Redis never does. */
function as<Value>(schema: z.ZodMiniType<Value>, reply: unknown): Value {
  const parsed = schema.safeParse(reply);
  if (!parsed.success) throw new ReplyError("An answer of another kind.");
  return parsed.data;
}
