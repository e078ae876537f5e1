import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { memoryFields } from "./memory-fields.ts";

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
  summary: "Remembers the whole conversation, in this tab or in the database, until it is cleared.",
  icon: "memory-stick",
  config,
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory", side: "right" }) },
  reach: [{ to: "conversations" }],
  describe: (raw) => (raw["storage"] === "postgres" ? "Everything, in the database" : "Everything, in this tab"),
  load: () => import("./buffer-memory.run.ts"),
});
