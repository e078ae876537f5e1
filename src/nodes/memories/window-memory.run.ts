import type { Memory } from "../../engine/memory/memory.ts";
import type { RunContext } from "../../engine/document/define-node.ts";
import { wholeWindow } from "./message-window.ts";
import { openSession, type SessionConfig, writeName } from "./open-session.ts";

/** The settings of the node, once parsed. */
interface WindowConfig extends SessionConfig {
  maxMessages: number;
  retention: "window" | "all";
}

/** The memory of one node. */
export function run(context: RunContext<WindowConfig, unknown>): Memory {
  const { config: settings, signal } = context;
  const { maxMessages, retention } = settings;
  const { defaultSession, messages: store, keyOf, guarded, startsEmpty } = openSession(context);
  return {
    defaultSession,
    label: `window · ${maxMessages}`,
    getMessages: (session) =>
      guarded("read", async () => {
        const key = keyOf(session);
        if (await startsEmpty(session, () => store.prune(key, 0))) return [];
        return wholeWindow(await store.load(key, { limit: maxMessages, signal }));
      }),
    addMessages: (session, messages, _turn, write) =>
      guarded("written", async () => {
        await store.append(keyOf(session), messages, {
          ...writeName(write),
          ...(retention === "window" ? { keep: maxMessages } : {}),
        });
      }),
    clear: (session) => guarded("cleared", () => store.prune(keyOf(session), 0)),
  };
}
