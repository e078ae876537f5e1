import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { MessageStore, SessionKey } from "../../engine/host.ts";
import { holdsUntrusted } from "../../engine/model/message.ts";
import { memoryFamily, memoryFields } from "./memory-fields.ts";
import {
  firstBatch,
  readSummary,
  type RollingSummary,
  summaryMessage,
  summaryRequest,
  summarySession,
  verbatimStart,
  writeSummary,
} from "./rolling-summary.ts";
import { openSession, writeName } from "./open-session.ts";

const config = z.object({
  maxMessages: field(z._default(z.int().check(z.minimum(1), z.maximum(100)), 10), {
    label: "Messages word for word",
    help: "How many of the last messages the model sees as they are. Older ones are summarised.",
  }),
  batchSize: field(z._default(z.int().check(z.minimum(1), z.maximum(100)), 1), {
    label: "Messages per summary",
    help: "How many older messages are summarised at a time. More means fewer model calls.",
  }),
  ...memoryFields,
});

/** The newest summary of a session and what came after it. */
async function loadConversation(store: MessageStore, key: SessionKey, signal: AbortSignal) {
  const [note] = await store.load(summaryKey(key), { limit: 1, signal });
  const summary = readSummary(note);
  const recent = await store.loadStored(key, { after: summary?.upTo ?? 0, signal });
  return { summary, recent };
}

function summaryKey(key: SessionKey): SessionKey {
  return { ...key, sessionId: summarySession(key.sessionId) };
}

async function forget(store: MessageStore, key: SessionKey): Promise<void> {
  await store.prune(summaryKey(key), 0);
  await store.prune(key, 0);
}

export const summaryMemory = defineNode({
  type: "summary-memory",
  version: 1,
  role: "memory",
  keepsAt: () => ({ storage: "postgres" }),
  title: "Summary memory",
  summary: "Keeps the last messages and a summary of earlier ones.",
  keywords: ["history", "chat history", "compress", "long", "remember"],
  family: memoryFamily,
  icon: "scroll-text",
  config,
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory", side: "right" }) },
  reach: [{ to: "conversations" }],
  describe: (raw) => `Last ${String(raw["maxMessages"] ?? 10)} messages and a summary`,
  run(context) {
    const { config: settings, signal } = context;
    const { maxMessages, batchSize } = settings;
    const { defaultSession, messages: store, keyOf, guarded, startsEmpty } = openSession(context);

    return {
      defaultSession,
      isOwn: true,
      label: `summary · ${maxMessages}`,
      getMessages: (session, turn) =>
        guarded("read", async () => {
          const key = keyOf(session);
          if (await startsEmpty(session, () => forget(store, key))) return [];
          if (!turn) return await store.load(key, { signal });
          const { summary, recent } = await loadConversation(store, key, signal);
          const messages = recent.map((stored) => stored.message);
          return summary ? [summaryMessage(summary), ...messages] : messages;
        }),
      addMessages: (session, messages, _turn, write) =>
        guarded("written", () => store.append(keyOf(session), messages, writeName(write))),
      compact: (session, ask) =>
        guarded("shortened", async () => {
          const key = keyOf(session);
          const { summary, recent } = await loadConversation(store, key, signal);
          const start = verbatimStart(recent, maxMessages);
          if (start < batchSize) return;
          const old = firstBatch(recent.slice(0, start));
          const last = old.at(-1);
          if (!last) return;
          const messages = old.map((stored) => stored.message);
          const text = (await ask(summaryRequest(summary, messages))).trim();
          if (text === "") return;
          const next: RollingSummary = {
            text,
            upTo: last.id,
            messages: (summary?.messages ?? 0) + old.length,
            untrusted: summary?.untrusted === true || holdsUntrusted(messages),
          };
          signal.throwIfAborted();
          await store.append(summaryKey(key), [writeSummary(next)]);
          await store.prune(summaryKey(key), 1);
        }),
      clear: (session) => guarded("cleared", () => forget(store, keyOf(session))),
    };
  },
});
