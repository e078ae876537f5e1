import { z } from "zod/mini";
import type { Memory } from "../../engine/memory/memory.ts";
import type { RunContext } from "../../engine/document/define-node.ts";
import { isJsonObject, type JsonObject } from "../../engine/json.ts";
import type { Message } from "../../engine/model/message.ts";
import { messageSchema } from "../../engine/model/message-schema.ts";
import { RunError } from "../../engine/errors.ts";
import { wholeWindow } from "./message-window.ts";
import { openSession, type SessionConfig } from "./open-session.ts";

/** The settings of the node, once parsed. */
interface RedisConfig extends SessionConfig {
  credential: string;
  maxMessages: number;
  ttlSeconds: number;
  keyPrefix: string;
}

const answers = z.object({ messages: z.array(messageSchema), expired: z.boolean() });

/** The memory of one node. */
export function run(context: RunContext<RedisConfig, unknown>): Memory {
  const { config: settings, host, signal, node } = context;
  const { credential, maxMessages, ttlSeconds, keyPrefix } = settings;
  const { defaultSession, keyOf, guarded, startsEmpty } = openSession(context);

  async function ask(session: string, action: JsonObject, until = signal): Promise<JsonObject> {
    const request = { credential, keyPrefix, ttlSeconds, ...keyOf(session), ...action };
    const answer = await host.callFunction("redis-memory", request, { signal: until });
    if (answer.ok) return isJsonObject(answer.body) ? answer.body : {};
    const { message, hint, code, retryable } = answer.error;
    throw new RunError({ code: "memory_error", message, hint, retryable, nodeId: node.id, cause: code });
  }

  async function load(session: string): Promise<Message[]> {
    const { messages, expired } = answers.parse(await ask(session, { action: "load", limit: maxMessages }));
    if (expired) {
      const message = `The conversation "${session}" has expired in Redis, so it starts over.`;
      const hint = "Raise the time to live on the memory node if it should last longer.";
      context.emit({ type: "warning", nodeId: node.id, message, hint });
    }
    return messages;
  }

  return {
    defaultSession,
    label: "redis",
    getMessages: (session) =>
      guarded("read", async () => {
        if (await startsEmpty(session, () => ask(session, { action: "clear" }))) return [];
        return wholeWindow(await load(session));
      }),
    addMessages: (session, messages, _turn, write) =>
      guarded("written", async () => {
        const turn = { messages: asJson(messages), ...(write ? { writeId: write.id } : {}) };
        await ask(session, { action: "append", ...turn }, write?.signal);
      }),
    clear: (session) => guarded("cleared", async () => void (await ask(session, { action: "clear" }))),
  };
}

/** Messages hold JSON alone; the parse tells the compiler. */
function asJson(messages: readonly Message[]) {
  return z.array(z.json()).parse(JSON.parse(JSON.stringify(messages)));
}
