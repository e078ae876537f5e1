import { RunError } from "../errors.ts";
import type { MemoryWrite } from "../host.ts";
import type { EmbeddingUse } from "../model/embedding-use.ts";
import type { Message } from "../model/message.ts";
import type { SpendingLimit } from "../spending/spending-limit.ts";

/** Where a memory keeps conversations. */
export type MemoryPlace =
  | { storage: "postgres" }
  /** This browser tab, until it is closed or reloaded. */
  | { storage: "tab" }
  | { storage: "redis"; credential: string; keyPrefix: string; ttlSeconds: number };

/** What a memory may use of the agent that calls it. */
export interface MemoryTurn {
  /** The message that the conversation goes on with. */
  question: string;
  /** Tells the log of an embedding request and counts it towards the agent's budgets. */
  addEmbedding?(use: EmbeddingUse): void;
  /** The budgets of that agent and its callers: embeddings are booked with them. */
  spending?: readonly SpendingLimit[];
}

/** A write with its id; `signal` ends it, which goes on after Stop for a while. */
export interface TurnWriteOptions extends MemoryWrite {
  signal: AbortSignal;
}

/**
 * Asks the agent's model to write a text for the memory; the call stands in the log with purpose `summary` and its cost.
 * Rejects with a RunError when the model fails.
 */
export type AskForSummary = (messages: Message[]) => Promise<string>;

/**
 * A conversation store. Messages come back in the order they were added and never start inside a tool exchange.
 * `addMessages` writes all of one turn or nothing, and only once for writes of one id. All three may reject with a RunError of code `memory_error`;
 * the agent tells the log and goes on without memory.
 */
export interface Memory {
  /** The session that the memory node names; an agent's own `sessionId` overrides it. Never empty. */
  defaultSession: string;
  /** For the badge on the agent, such as "window". */
  label: string;
  /** The studio itself keeps the conversation: files that its messages name are files of the owner. */
  isOwn?: boolean;
  /** Writes are kept for this run alone and reach no conversation. */
  isScratch?: boolean;
  /** `turn` is absent when something other than the conversation is read or written, such as a scratchpad. */
  getMessages(session: string, turn?: MemoryTurn): Promise<Message[]>;
  addMessages(session: string, messages: Message[], turn?: MemoryTurn, write?: TurnWriteOptions): Promise<void>;
  /**
   * Called after each turn that was saved: shortens what the next one loads. May do nothing; a failure keeps the
   * conversation as it is.
   */
  compact?(session: string, ask: AskForSummary): Promise<void>;
  clear(session: string): Promise<void>;
}

/** What is kept beside a conversation, in a session of its own in the same memory. */
const sessionSides = ["scratchpad", "summary"] as const;
type SessionSide = (typeof sessionSides)[number];

/** The name under which something beside a session is stored. */
export function sideSession(session: string, side: SessionSide): string {
  return `${session}:${side}`;
}

/** A stored session's name: the conversation's, and what is kept beside it when it is not the conversation itself. */
export function readSessionName(name: string): { session: string; side: SessionSide | null } {
  for (const side of sessionSides) {
    const ending = `:${side}`;
    if (name.endsWith(ending) && name.length > ending.length) return { session: name.slice(0, -ending.length), side };
  }
  return { session: name, side: null };
}

/** The name of a conversation itself. Throws a RunError for one that stands for what is kept beside another conversation. */
export function conversationName(name: string, nodeId: string): string {
  const { session, side } = readSessionName(name);
  if (side === null) return name;
  throw new RunError({
    code: "invalid_config",
    message: `The session "${name}" is where the ${side} of "${session}" is kept, so it cannot be a conversation.`,
    hint: `Give the conversation a name that does not end in ":${side}".`,
    nodeId,
  });
}
