import { readSessionName } from "../../engine/agent/session-sides.ts";
import type { MemorySession } from "../../stores/services.ts";

/** One conversation of a list: what is kept beside it is counted in, not listed on its own. */
export interface Conversation extends MemorySession {
  /** Whether the agent has a scratchpad here. */
  notes: boolean;
  summarised: boolean;
}

/** Joins sessions with their scratchpads and summaries; the latest used first. */
export function toConversations(sessions: readonly MemorySession[]): Conversation[] {
  const found = new Map<string, Conversation>();
  for (const session of sessions) {
    const { session: sessionId, side } = readSessionName(session.sessionId);
    const name = JSON.stringify([session.workflowId, sessionId]);
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
