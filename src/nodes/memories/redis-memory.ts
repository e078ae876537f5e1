import { z } from "zod";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { isJsonObject, type JsonObject } from "../../engine/json.ts";
import type { Message } from "../../engine/model/message.ts";
import { messageSchema } from "../../engine/model/message-schema.ts";
import { RunError } from "../../engine/run/errors.ts";
import { memoryFields } from "./memory-fields.ts";
import { wholeWindow } from "./message-window.ts";
import { openSession } from "./open-session.ts";

const config = z.object({
  credential: field(z.string().max(200).default(""), {
    label: "Credential",
    help: "Which Redis, with host, port, password, TLS and database.",
    control: "credential",
    credentialTypes: ["redis"],
    required: true,
  }),
  maxMessages: field(z.number().int().min(1).max(1_000).default(100), {
    label: "Messages",
    help: "How many of the last messages the model sees. Older ones stay in Redis.",
  }),
  ttlSeconds: field(z.number().int().min(0).max(31_536_000).default(0), {
    label: "Time to live (seconds)",
    help: "A conversation is gone this long after its last message. 0: never.",
  }),
  keyPrefix: field(z.string().max(200).default("agent:memory:"), {
    label: "Key prefix",
    help: "How the keys in Redis begin. Your user id, workflow and session follow.",
  }),
  ...memoryFields,
});

const answers = z.object({ messages: z.array(messageSchema), expired: z.boolean() });

export const redisMemory = defineNode({
  type: "redis-memory",
  version: 1,
  role: "memory",
  title: "Redis memory",
  summary: "Remembers conversations in your own Redis, for as long as you say.",
  icon: "database",
  config,
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory", side: "right" }) },
  describe(raw) {
    const seconds = Number(raw["ttlSeconds"] ?? 0);
    return seconds > 0 ? `Until ${seconds} s after the last message` : "Until it is cleared";
  },
  run(context) {
    const { config: settings, host, signal, node } = context;
    const { credential, maxMessages, ttlSeconds, keyPrefix } = settings;
    const { defaultSession, keyOf, guarded, isToBeCleared } = openSession(context);

    async function ask(session: string, action: JsonObject): Promise<JsonObject> {
      const request = { credential, keyPrefix, ttlSeconds, ...keyOf(session), ...action };
      const answer = await host.callFunction("redis-memory", request, { signal });
      if (answer.ok) return isJsonObject(answer.body) ? answer.body : {};
      const { message, hint, code, retryable } = answer.error;
      throw new RunError({ code: "memory_error", message, hint, retryable, nodeId: node.id, cause: code });
    }

    async function load(session: string): Promise<Message[]> {
      const { messages, expired } = answers.parse(await ask(session, { action: "load", limit: maxMessages }));
      if (expired) {
        const message = `The conversation "${session}" has expired in Redis; it begins anew.`;
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
          if (!isToBeCleared(session)) return wholeWindow(await load(session));
          await ask(session, { action: "clear" });
          return [];
        }),
      addMessages: (session, messages) =>
        guarded("written", async () => void (await ask(session, { action: "append", messages: asJson(messages) }))),
      clear: (session) => guarded("cleared", async () => void (await ask(session, { action: "clear" }))),
    };
  },
});

/** Messages hold JSON alone; the parse tells the compiler. */
function asJson(messages: readonly Message[]) {
  return z.array(z.json()).parse(JSON.parse(JSON.stringify(messages)));
}
