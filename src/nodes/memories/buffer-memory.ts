import { z } from "zod";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { memoryFields } from "./memory-fields.ts";
import { openSession } from "./open-session.ts";

const config = z.object({
  storage: field(z.enum(["memory", "postgres"]).default("memory"), {
    label: "Storage",
    help: "memory: this browser tab, until it is closed or reloaded. postgres: the database.",
  }),
  ...memoryFields,
});

export const bufferMemory = defineNode({
  type: "buffer-memory",
  version: 1,
  role: "memory",
  title: "Buffer memory",
  summary: "Remembers the whole conversation, in this tab or in the database, until it is cleared.",
  icon: "memory-stick",
  config,
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory", side: "right" }) },
  describe: (raw) => (raw["storage"] === "postgres" ? "Everything, in the database" : "Everything, in this tab"),
  run(context) {
    const { config: settings, host, signal } = context;
    const { defaultSession, keyOf, guarded, isToBeCleared } = openSession(context);
    const store = settings.storage === "postgres" ? host.messages : host.tab;
    return {
      defaultSession,
      label: "buffer",
      getMessages: (session) =>
        guarded("read", async () => {
          const key = keyOf(session);
          if (!isToBeCleared(session)) return await store.load(key, { signal });
          await store.prune(key, 0);
          return [];
        }),
      addMessages: (session, messages) => guarded("written", () => store.append(keyOf(session), messages)),
      clear: (session) => guarded("cleared", () => store.prune(keyOf(session), 0)),
    };
  },
});
