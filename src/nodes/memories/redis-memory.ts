import { z } from "zod/mini";
import type { MemoryPlace } from "../../engine/memory/memory.ts";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { isJsonObject, type JsonObject } from "../../engine/json.ts";
import type { Message } from "../../engine/model/message.ts";
import { messageSchema } from "../../engine/model/message-schema.ts";
import { RunError } from "../../engine/errors.ts";
import { encryptionFinding, memoryFamily, memoryFields } from "./memory-fields.ts";
import { wholeWindow } from "./message-window.ts";
import { openSession } from "./open-session.ts";

const config = z.object({
  credential: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Credential",
    help: "Which Redis, with host, port, password, TLS and database.",
    control: "credential",
    credentialTypes: ["redis"],
    required: true,
  }),
  maxMessages: field(z._default(z.int().check(z.minimum(1), z.maximum(1_000)), 100), {
    label: "Messages",
    help: "How many of the last messages the model sees. Older ones stay in Redis.",
  }),
  ttlSeconds: field(z._default(z.int().check(z.minimum(0), z.maximum(31_536_000)), 0), {
    label: "Time to live (seconds)",
    help: "How long a conversation is kept after its last message. 0: for ever.",
  }),
  keyPrefix: field(z._default(z.string().check(z.maxLength(200)), "agent:memory:"), {
    label: "Key prefix",
    help: "What the keys in Redis begin with. Your user id, workflow and session follow.",
  }),
  ...memoryFields,
});

const place = z.extend(z.pick(config, { keyPrefix: true }), {
  credential: z.string().check(z.minLength(1)),
  ttlSeconds: z._default(z.catch(z.int().check(z.minimum(0)), 0), 0),
});

/** The Redis of its settings; null while they name none. */
function keepsAt(stored: JsonObject): MemoryPlace | null {
  const read = place.safeParse(stored);
  return read.success ? { storage: "redis", ...read.data } : null;
}

const answers = z.object({ messages: z.array(messageSchema), expired: z.boolean() });

export const redisMemory = defineNode({
  type: "redis-memory",
  version: 1,
  role: "memory",
  keepsAt,
  title: "Redis memory",
  summary: "Keeps conversations in your own Redis.",
  keywords: ["history", "chat history", "cache", "remember"],
  family: memoryFamily,
  icon: "database",
  config,
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory", side: "right" }) },
  reach: [{ to: "server", credential: "credential" }],
  describe(raw) {
    const seconds = Number(raw["ttlSeconds"] ?? 0);
    return seconds > 0 ? `Until ${seconds} s after the last message` : "Until it is cleared";
  },
  check: (_raw, workflow) =>
    encryptionFinding(workflow, {
      field: "credential",
      severity: "warning",
      message: "This workflow encrypts its conversations in the database; those in Redis are kept as plain text.",
      hint: "Use a memory that keeps them in the database where they have to be encrypted.",
    }),
  run(context) {
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
  },
});

/** Messages hold JSON alone; the parse tells the compiler. */
function asJson(messages: readonly Message[]) {
  return z.array(z.json()).parse(JSON.parse(JSON.stringify(messages)));
}
