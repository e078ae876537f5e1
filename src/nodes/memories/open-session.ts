import type { RunContext } from "../../engine/document/define-node.ts";
import type { ConfigOf } from "../../engine/config/field.ts";
import type { MemoryWrite, MessageStore, SessionKey } from "../../engine/host.ts";
import { memoryFields, sessionOf } from "./memory-fields.ts";
import { guardMemory } from "./memory-failure.ts";

/** The settings that every memory node has, once parsed. */
type SessionConfig = ConfigOf<typeof memoryFields>;

/** What the common settings of a memory node come to. */
interface OpenSession {
  defaultSession: string;
  /** The conversations of the database; what is added is encrypted where the workflow asks for it. */
  messages: MessageStore;
  keyOf(sessionId: string): SessionKey;
  /** Runs `work`, with a failure in words that names the node. */
  guarded<Value>(doing: string, work: () => Promise<Value>): Promise<Value>;
  /**
   * With `clearOnRun`, clears a session once per run before it is read; true when it is empty for that. A run that is only a
   * try takes it for empty and clears nothing.
   */
  startsEmpty(sessionId: string, clear: () => Promise<unknown>): Promise<boolean>;
}

/** What a store is told of a write. */
export function writeName(write: MemoryWrite | undefined): Partial<MemoryWrite> {
  return write ? { id: write.id } : {};
}

/** Reads session, scope and clearOnRun of a memory node (SPEC §3.4). */
export function openSession(
  context: Pick<RunContext<SessionConfig, unknown>, "config" | "host" | "workflow" | "run" | "node">,
) {
  const { config, host, workflow, run, node } = context;
  const session: OpenSession = {
    defaultSession: sessionOf(config.sessionId, workflow.id, node.id),
    messages: workflow.privacy?.encryptConversations ? host.encryptedMessages : host.messages,
    keyOf: (sessionId) => ({ workflowId: config.scope === "all" ? null : workflow.id, sessionId }),
    guarded: (doing, work) => guardMemory(node.id, doing, work),
    async startsEmpty(sessionId, clear) {
      if (!config.clearOnRun || run.scratch) return config.clearOnRun;
      const { clearedSessions } = run.scope;
      const name = `${node.id}\n${sessionId}`;
      // Not again for a second agent or item.
      if (clearedSessions.has(name)) return false;
      clearedSessions.add(name);
      await clear();
      return true;
    },
  };
  return session;
}
