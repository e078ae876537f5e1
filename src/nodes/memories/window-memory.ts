import { z } from "zod";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { RunError } from "../../engine/run/errors.ts";
import { isFirstUse } from "./cleared-sessions.ts";
import { memoryFields, sessionOf } from "./memory-fields.ts";
import { wholeWindow } from "./message-window.ts";

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
  run({ config: settings, host, workflow, run, signal, node }) {
    const { maxMessages, scope, clearOnRun, retention } = settings;
    const keyOf = (sessionId: string) => ({ workflowId: scope === "all" ? null : workflow.id, sessionId });

    async function guarded<Value>(doing: string, work: () => Promise<Value>): Promise<Value> {
      try {
        return await work();
      } catch (error) {
        if (error instanceof RunError) throw error;
        const cause = error instanceof Error ? error.message : String(error);
        throw new RunError({
          code: "memory_error",
          message: `The conversation could not be ${doing}: ${cause}`,
          hint: "Check the connection to the database; the agent goes on without this memory.",
          nodeId: node.id,
        });
      }
    }

    return {
      defaultSession: sessionOf(settings.sessionId, workflow.id),
      label: `window · ${maxMessages}`,
      getMessages: (session) =>
        guarded("read", async () => {
          const key = keyOf(session);
          if (clearOnRun && isFirstUse(run.callIds, `${node.id}\n${session}`)) {
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
