import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { memoryFields } from "./memory-fields.ts";

const config = z.object({
  maxMessages: field(z._default(z.int().check(z.minimum(1), z.maximum(100)), 10), {
    label: "Messages word for word",
    help: "How many of the last messages the model sees as they are. Older ones are summarised.",
  }),
  batchSize: field(z._default(z.int().check(z.minimum(1), z.maximum(100)), 1), {
    label: "Messages per summary",
    help: "How many messages have to fall out before the model is asked. More means fewer calls, and more words kept.",
  }),
  ...memoryFields,
});

export const summaryMemory = defineNode({
  type: "summary-memory",
  version: 1,
  role: "memory",
  keepsAt: () => ({ storage: "postgres" }),
  title: "Summary memory",
  summary:
    "Remembers the last messages word for word and a summary of everything before, written by the agent's model.",
  icon: "scroll-text",
  config,
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory", side: "right" }) },
  reach: [{ to: "conversations" }],
  describe: (raw) => `Last ${String(raw["maxMessages"] ?? 10)} messages and a summary`,
  load: () => import("./summary-memory.run.ts"),
});
