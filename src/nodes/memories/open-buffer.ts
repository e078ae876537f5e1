import type { Memory } from "../../engine/agent/memory.ts";
import type { RunContext } from "../../engine/document/define-node.ts";
import { openSession, type SessionConfig } from "./open-session.ts";

/** The settings of the node, once parsed. */
interface BufferConfig extends SessionConfig {
  storage: "memory" | "postgres";
}

/** The memory of one node. */
export function openBuffer(context: RunContext<BufferConfig, unknown>): Memory {
  const { config: settings, host, signal } = context;
  const { defaultSession, keyOf, guarded, startsEmpty } = openSession(context);
  const store = settings.storage === "postgres" ? host.messages : host.tab;
  return {
    defaultSession,
    label: "buffer",
    getMessages: (session) =>
      guarded("read", async () => {
        const key = keyOf(session);
        if (await startsEmpty(session, () => store.prune(key, 0))) return [];
        return await store.load(key, { signal });
      }),
    addMessages: (session, messages, _turn, write) =>
      guarded("written", () => store.append(keyOf(session), messages, write)),
    clear: (session) => guarded("cleared", () => store.prune(keyOf(session), 0)),
  };
}
