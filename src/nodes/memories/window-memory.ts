import { z } from "zod";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { memoryFields } from "./memory-fields.ts";
import { wholeWindow } from "./message-window.ts";
import { openSession } from "./open-session.ts";

const config = z.object({
  maxMessages: field(z.number().int().min(1).max(100).default(10), {
    label: "Messages",
    help: "How many of the last messages the model sees.",
  }),
  ...memoryFields,
  retention: field(z.enum(["window", "all"]).default("window"), {
    label: "Keep",
    help: "window: older messages are deleted. all: they stay in the database.",
  }),
});

export const windowMemory = defineNode({
  type: "window-memory",
  version: 1,
  role: "memory",
  title: "Window memory",
  summary: "Remembers the last messages of a conversation in the database.",
  icon: "history",
  config,
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory", side: "right" }) },
  describe: (raw) => `Last ${String(raw["maxMessages"] ?? 10)} messages`,
  run(context) {
    const { config: settings, host, signal } = context;
    const { maxMessages, retention } = settings;
    const { defaultSession, keyOf, guarded, isToBeCleared } = openSession(context);
    return {
      defaultSession,
      label: `window · ${maxMessages}`,
      getMessages: (session) =>
        guarded("read", async () => {
          const key = keyOf(session);
          if (isToBeCleared(session)) {
            await host.messages.prune(key, 0);
            return [];
          }
          return wholeWindow(await host.messages.load(key, { limit: maxMessages, signal }));
        }),
      addMessages: (session, messages) =>
        guarded("written", async () => {
          await host.messages.append(keyOf(session), messages);
          if (retention === "window") await host.messages.prune(keyOf(session), maxMessages);
        }),
      clear: (session) => guarded("cleared", () => host.messages.prune(keyOf(session), 0)),
    };
  },
});
