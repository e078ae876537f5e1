import type { Memory } from "../../engine/memory/memory.ts";
import type { RunContext } from "../../engine/document/define-node.ts";
import { openSession, type SessionConfig, writeName } from "./open-session.ts";

/** The settings of the node, once parsed. */
interface BufferConfig extends SessionConfig {
  storage: "memory" | "postgres";
}

/** The memory of one node. */
export function run(context: RunContext<BufferConfig, unknown>): Memory {
  const { config: settings, host, signal } = context;
  const { defaultSession, messages: database, keyOf, guarded, startsEmpty } = openSession(context);
  const store = settings.storage === "postgres" ? database : host.tab;
  if (settings.storage === "memory" && host.tabLastsFor === "run") {
    const message = "This memory is kept for this run alone: on a server there is no browser tab.";
    const hint = "Set its storage to Postgres to keep conversations.";
    context.emit({ type: "warning", nodeId: context.node.id, message, hint });
  }
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
      guarded("written", () => store.append(keyOf(session), messages, writeName(write))),
    clear: (session) => guarded("cleared", () => store.prune(keyOf(session), 0)),
  };
}
