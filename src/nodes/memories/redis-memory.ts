import { z } from "zod/mini";
import type { MemoryPlace } from "../../engine/memory/memory.ts";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { JsonObject } from "../../engine/json.ts";
import { encryptionFinding, memoryFields } from "./memory-fields.ts";

const config = z.object({
  credential: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Credential",
    help: "Which Redis, with host, port, password, TLS and database.",
    control: "credential",
    credentialTypes: ["redis"],
    required: true,
  }),
  maxMessages: field(z._default(z.int().check(z.minimum(1), z.maximum(1_000)), 100), {
    label: "Messages",
    help: "How many of the last messages the model sees. Older ones stay in Redis.",
  }),
  ttlSeconds: field(z._default(z.int().check(z.minimum(0), z.maximum(31_536_000)), 0), {
    label: "Time to live (seconds)",
    help: "A conversation is gone this long after its last message. 0: never.",
  }),
  keyPrefix: field(z._default(z.string().check(z.maxLength(200)), "agent:memory:"), {
    label: "Key prefix",
    help: "How the keys in Redis begin. Your user id, workflow and session follow.",
  }),
  ...memoryFields,
});

const place = z.extend(z.pick(config, { keyPrefix: true }), {
  credential: z.string().check(z.minLength(1)),
  ttlSeconds: z._default(z.catch(z.int().check(z.minimum(0)), 0), 0),
});

/** The Redis of its settings; null while they name none. */
function keepsAt(stored: JsonObject): MemoryPlace | null {
  const read = place.safeParse(stored);
  return read.success ? { storage: "redis", ...read.data } : null;
}

export const redisMemory = defineNode({
  type: "redis-memory",
  version: 1,
  role: "memory",
  keepsAt,
  title: "Redis memory",
  summary: "Remembers conversations in your own Redis, for as long as you say.",
  icon: "database",
  config,
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory", side: "right" }) },
  reach: [{ to: "server", credential: "credential" }],
  describe(raw) {
    const seconds = Number(raw["ttlSeconds"] ?? 0);
    return seconds > 0 ? `Until ${seconds} s after the last message` : "Until it is cleared";
  },
  check: (_raw, workflow) =>
    encryptionFinding(workflow, {
      field: "credential",
      severity: "warning",
      message: "This workflow encrypts its conversations in the database; those in Redis are kept as plain text.",
      hint: "Use a memory that keeps them in the database where they have to be encrypted.",
    }),
  load: () => import("./redis-memory.run.ts"),
});
