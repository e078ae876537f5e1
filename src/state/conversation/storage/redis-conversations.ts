import type { MemoryPlace } from "../../../engine/memory/memory.ts";
import { z } from "zod/mini";
import type { Host, SessionKey } from "../../../engine/host.ts";
import type { JsonObject } from "../../../engine/json.ts";
import type { Message } from "../../../engine/model/message.ts";
import { messageSchema } from "../../../engine/model/message-schema.ts";
import type { RunErrorData } from "../../../engine/errors.ts";
import { ServiceError } from "../../../services/services.ts";
import { keyName, pageOfSessions } from "./conversations.ts";
import { type ConversationStorage, messageIsGone, titleOf } from "./conversation-storage.ts";

const loaded = z.object({ messages: z.array(messageSchema), times: z._default(z.array(z.nullable(z.number())), []) });
const titled = z.object({ first: z.array(z.array(messageSchema)) });
const done = z.object({ done: z.boolean() });
const listed = z.object({
  sessions: z.array(
    z.object({
      workflowId: z.nullable(z.string()),
      sessionId: z.string(),
      messages: z.number(),
      bytes: z.nullable(z.number()),
      lastUsedAt: z.pipe(
        z.number(),
        z.transform((at) => new Date(at).toISOString()),
      ),
    }),
  ),
});

/** Conversations that the function takes at once when it is asked how they begin. */
const mostBeginnings = 500;

/** Conversations in a user's Redis, over the `redis-memory` function, for the memory panel. Ids are places in the list. */
export function createRedisConversations(
  callFunction: Host["callFunction"],
  place: Extract<MemoryPlace, { storage: "redis" }>,
): ConversationStorage {
  const { credential, keyPrefix, ttlSeconds } = place;

  async function ask<Schema extends z.ZodMiniType>(schema: Schema, request: JsonObject): Promise<z.infer<Schema>> {
    const body = { credential, keyPrefix, ...request };
    const answer = await callFunction("redis-memory", body, { signal: new AbortController().signal });
    if (!answer.ok) throw refusal(answer.error);
    const parsed = schema.safeParse(answer.body);
    if (parsed.success) return parsed.data;
    throw new ServiceError("server", "The server's answer about Redis could not be read.", "Reload the page.");
  }

  const at = (key: SessionKey, request: JsonObject) => ({ ...key, ttlSeconds, ...request });

  async function titles(keys: readonly SessionKey[]): Promise<(string | null)[]> {
    const found: (string | null)[] = [];
    for (let from = 0; from < keys.length; from += mostBeginnings) {
      const some = keys.slice(from, from + mostBeginnings);
      const sessions = some.map(({ workflowId, sessionId }) => ({ workflowId, sessionId }));
      const { first } = await ask(titled, { action: "beginnings", sessions });
      found.push(...some.map((_key, index) => titleOf(first[index] ?? [])));
    }
    return found;
  }

  return {
    async conversations(workflowId, request) {
      const { sessions } = await ask(listed, { action: "sessions", workflowId });
      if ((request.search ?? "").trim() === "") return pageOfSessions(sessions, request);
      const named = await titles(sessions);
      const titleByKey = new Map(sessions.map((key, index) => [keyName(key), named[index] ?? null]));
      return pageOfSessions(sessions, request, (key) => titleByKey.get(keyName(key)) ?? null);
    },
    async entries(key) {
      const { messages, times } = await ask(loaded, at(key, { action: "load" }));
      return messages.map((message, id) => {
        const time = times[id] ?? null;
        return { id, message, ...(time === null ? {} : { at: new Date(time).toISOString() }) };
      });
    },
    async append(key, messages) {
      const written = messages.map(({ message }) => asJson(message));
      const times = messages.map((one) => (one.at === undefined ? null : Date.parse(one.at)));
      await ask(z.json(), at(key, { action: "append", messages: written, times }));
    },
    titles,
    async replace(key, { id, message: expected }, message) {
      const change = { index: id, expected: asJson(expected), message: message && asJson(message) };
      const answer = await ask(done, at(key, { action: "replace", ...change }));
      if (!answer.done) throw messageIsGone();
    },
    async clear(key) {
      await ask(done, at(key, { action: "clear" }));
    },
  };
}

/** Messages hold JSON alone; the parse tells the compiler. */
function asJson(message: Message) {
  return z.json().parse(JSON.parse(JSON.stringify(message)));
}

function refusal({ code, message, hint }: RunErrorData): ServiceError {
  return new ServiceError(
    code === "invalid_credentials" || code === "invalid_config" ? "invalid" : "server",
    message,
    hint,
  );
}
