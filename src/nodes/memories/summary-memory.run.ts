import type { Memory } from "../../engine/memory/memory.ts";
import type { RunContext } from "../../engine/document/define-node.ts";
import type { MessageStore, SessionKey } from "../../engine/host.ts";
import { holdsUntrusted } from "../../engine/model/message.ts";
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
import { openSession, type SessionConfig, writeName } from "./open-session.ts";

/** The settings of the node, once parsed. */
interface SummaryConfig extends SessionConfig {
  maxMessages: number;
  batchSize: number;
}

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

/** The memory of one node. */
export function run(context: RunContext<SummaryConfig, unknown>): Memory {
  const { config: settings, signal } = context;
  const { maxMessages, batchSize } = settings;
  const { defaultSession, messages: store, keyOf, guarded, startsEmpty } = openSession(context);

  return {
    defaultSession,
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
}
