import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { memoryFamily, memoryFields } from "./memory-fields.ts";
import { openSession, writeName } from "./open-session.ts";

const config = z.object({
  storage: field(z._default(z.enum(["memory", "postgres"]), "memory"), {
    label: "Storage",
    help: "Memory: this browser tab, until it is closed or reloaded. Postgres: the database.",
  }),
  ...memoryFields,
});

export const bufferMemory = defineNode({
  type: "buffer-memory",
  version: 1,
  role: "memory",
  keepsAt: ({ storage }) => ({ storage: (storage ?? "memory") === "memory" ? "tab" : "postgres" }),
  title: "Buffer memory",
  summary: "Remembers the whole conversation until it is cleared.",
  keywords: ["history", "chat history", "context", "remember", "full"],
  family: memoryFamily,
  icon: "memory-stick",
  config,
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory", side: "right" }) },
  reach: [{ to: "conversations" }],
  describe: (raw) => (raw["storage"] === "postgres" ? "Everything, in the database" : "Everything, in this tab"),
  run(context) {
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
      isOwn: true,
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
  },
});
