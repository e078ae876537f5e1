import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { memoryFamily, memoryFields } from "./memory-fields.ts";
import { wholeWindow } from "./message-window.ts";
import { openSession, writeName } from "./open-session.ts";

const config = z.object({
  maxMessages: field(z._default(z.int().check(z.minimum(1), z.maximum(100)), 10), {
    label: "Messages",
    help: "How many of the last messages the model sees.",
  }),
  ...memoryFields,
  retention: field(z._default(z.enum(["window", "all"]), "window"), {
    label: "Keep",
    help: "Window: older messages are deleted. All: they stay in the database.",
  }),
});

export const windowMemory = defineNode({
  type: "window-memory",
  version: 1,
  role: "memory",
  keepsAt: () => ({ storage: "postgres" }),
  title: "Window memory",
  summary: "Remembers the last messages of a conversation.",
  keywords: ["history", "chat history", "context", "remember"],
  family: memoryFamily,
  icon: "history",
  config,
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory", side: "right" }) },
  reach: [{ to: "conversations" }],
  describe: (raw) => `Last ${String(raw["maxMessages"] ?? 10)} messages`,
  run(context) {
    const { config: settings, signal } = context;
    const { maxMessages, retention } = settings;
    const { defaultSession, messages: store, keyOf, guarded, startsEmpty } = openSession(context);
    return {
      defaultSession,
      isOwn: true,
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
  },
});
