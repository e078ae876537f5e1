import { readSessionName } from "../../../engine/memory/memory.ts";
import type { SessionKey } from "../../../engine/host.ts";
import type { Conversation, CountedPage, MemorySession } from "../../../services/services.ts";
import type { ConversationsRequest } from "./conversation-storage.ts";

/**
 * A page of a place that gives all its sessions at once. Its `after` is how many came before. Searched are the ids of the
 * sessions and their titles.
 */
export function pageOfSessions(
  sessions: readonly MemorySession[],
  { search = "", limit, after, ownOnly = false }: ConversationsRequest,
  titleOf: (key: SessionKey) => string | null = () => null,
): CountedPage<Conversation> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (key: SessionKey) => {
    if (words.length === 0) return true;
    const name = `${key.sessionId}\n${titleOf(key) ?? ""}`.toLowerCase();
    return words.every((word) => name.includes(word));
  };
  const fitting = toConversations(sessions).filter((found) => !(ownOnly && found.workflowId === null) && fits(found));
  const start = typeof after === "number" ? after : 0;
  const end = start + limit;
  return { rows: fitting.slice(start, end), next: end < fitting.length ? end : null, total: fitting.length };
}

/** A conversation's key as text, for looking it up. */
export function keyName({ workflowId, sessionId }: SessionKey): string {
  return JSON.stringify([workflowId, sessionId]);
}

/** Joins sessions with their scratchpads and summaries; the latest used first. */
function toConversations(sessions: readonly MemorySession[]): Conversation[] {
  const found = new Map<string, Conversation>();
  for (const session of sessions) {
    const { session: sessionId, side } = readSessionName(session.sessionId);
    const name = keyName({ workflowId: session.workflowId, sessionId });
    const known = found.get(name);
    const messages = side === null ? session.messages : 0;
    found.set(name, {
      workflowId: session.workflowId,
      sessionId,
      messages: (known?.messages ?? 0) + messages,
      bytes: known === undefined ? session.bytes : addBytes(known.bytes, session.bytes),
      lastUsedAt: latest(known?.lastUsedAt, session.lastUsedAt),
      notes: known?.notes === true || side === "scratchpad",
      summarised: known?.summarised === true || side === "summary",
    });
  }
  return [...found.values()].toSorted((a, b) => Date.parse(b.lastUsedAt) - Date.parse(a.lastUsedAt));
}

function addBytes(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

function latest(a: string | undefined, b: string): string {
  return a !== undefined && Date.parse(a) > Date.parse(b) ? a : b;
}
