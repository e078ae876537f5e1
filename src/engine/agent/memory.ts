import type { Message } from "../model/message.ts";

/**
 * A conversation store. Messages come back in the order they were added and never start inside a tool exchange.
 * `addMessages` writes all of one turn or nothing. All three may reject with a RunError of code `memory_error`;
 * the agent tells the log and goes on without memory.
 */
export interface Memory {
  /** The session that the memory node names; an agent's own `sessionId` overrides it. Never empty. */
  defaultSession: string;
  /** For the badge on the agent, such as "window". */
  label: string;
  getMessages(session: string): Promise<Message[]>;
  addMessages(session: string, messages: Message[]): Promise<void>;
  clear(session: string): Promise<void>;
}
