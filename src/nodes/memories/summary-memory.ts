import { z } from "zod";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { MessageStore, SessionKey } from "../../engine/host.ts";
import { holdsUntrusted } from "../../engine/model/message.ts";
import { memoryFields } from "./memory-fields.ts";
import { openSession } from "./open-session.ts";
import {
  firstBatch,
  type RollingSummary,
  readSummary,
  summaryMessage,
  summaryRequest,
  summarySession,
  verbatimStart,
  writeSummary,
} from "./rolling-summary.ts";

const config = z.object({
  maxMessages: field(z.number().int().min(1).max(100).default(10), {
    label: "Messages word for word",
    help: "How many of the last messages the model sees as they are. Older ones are summarised.",
  }),
  batchSize: field(z.number().int().min(1).max(100).default(1), {
    label: "Summarise every … messages",
    help: "How many messages have to fall out before the model is asked. More means fewer calls, and more words kept.",
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
  title: "Summary memory",
  summary:
    "Remembers the last messages word for word and a summary of everything before, written by the agent's model.",
  icon: "scroll-text",
  config,
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory", side: "right" }) },
  describe: (raw) => `Last ${String(raw["maxMessages"] ?? 10)} messages and a summary`,
  run(context) {
    const { config: settings, host, signal } = context;
    const { maxMessages, batchSize } = settings;
    const { defaultSession, keyOf, guarded, isToBeCleared } = openSession(context);
    const store = host.messages;

    return {
      defaultSession,
      label: `summary · ${maxMessages}`,
      getMessages: (session, turn) =>
        guarded("read", async () => {
          const key = keyOf(session);
          if (isToBeCleared(session)) {
            await forget(store, key);
            return [];
          }
          if (!turn) return await store.load(key, { signal });
          const { summary, recent } = await loadConversation(store, key, signal);
          const messages = recent.map((stored) => stored.message);
          return summary ? [summaryMessage(summary), ...messages] : messages;
        }),
      addMessages: (session, messages) => guarded("written", () => store.append(keyOf(session), messages)),
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
