import type { RunContext } from "../../engine/document/define-node.ts";
import type { SessionKey } from "../../engine/host.ts";
import { isFirstUse } from "./cleared-sessions.ts";
import { memoryFields, sessionOf } from "./memory-fields.ts";
import { guardMemory } from "./memory-failure.ts";
import type { z } from "zod";

/** The settings that every memory node has, once parsed. */
export type SessionConfig = { [Name in keyof typeof memoryFields]: z.infer<(typeof memoryFields)[Name]> };

/** What the common settings of a memory node come to. */
interface OpenSession {
  defaultSession: string;
  keyOf(sessionId: string): SessionKey;
  /** Runs `work`, with a failure in words that names the node. */
  guarded<Value>(doing: string, work: () => Promise<Value>): Promise<Value>;
  /** With `clearOnRun`, true once per run and session: then the session is to be cleared before it is read. */
  isToBeCleared(sessionId: string): boolean;
}

/** Reads session, scope and clearOnRun of a memory node (SPEC §3.4). */
export function openSession(context: Pick<RunContext<SessionConfig, unknown>, "config" | "workflow" | "run" | "node">) {
  const { config, workflow, run, node } = context;
  const session: OpenSession = {
    defaultSession: sessionOf(config.sessionId, workflow.id, node.id),
    keyOf: (sessionId) => ({ workflowId: config.scope === "all" ? null : workflow.id, sessionId }),
    guarded: (doing, work) => guardMemory(node.id, doing, work),
    isToBeCleared: (sessionId) => config.clearOnRun && isFirstUse(run.callIds, `${node.id}\n${sessionId}`),
  };
  return session;
}
