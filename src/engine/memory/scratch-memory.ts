import type { Memory } from "./memory.ts";
import type { Message } from "../model/message.ts";

/**
 * What a trial run (a fork, a single node, a tool that is tried out) adds to conversations, by memory node and session.
 * It is kept for this run and never written.
 */
export type ScratchSessions = Map<string, Message[]>;

/** A memory that reads the real conversation and keeps what is written in `sessions`. */
export function scratchMemory(memory: Memory, nodeId: string, sessions: ScratchSessions): Memory {
  const nameOf = (session: string) => JSON.stringify([nodeId, session]);
  const cleared = new Set<string>();
  return {
    defaultSession: memory.defaultSession,
    label: memory.label,
    ...(memory.isOwn ? { isOwn: true } : {}),
    isScratch: true,
    async getMessages(session, turn) {
      const before = cleared.has(session) ? [] : await memory.getMessages(session, turn);
      return [...before, ...(sessions.get(nameOf(session)) ?? [])];
    },
    addMessages(session, messages) {
      sessions.set(nameOf(session), [...(sessions.get(nameOf(session)) ?? []), ...messages]);
      return Promise.resolve();
    },
    clear(session) {
      cleared.add(session);
      sessions.delete(nameOf(session));
      return Promise.resolve();
    },
  };
}
