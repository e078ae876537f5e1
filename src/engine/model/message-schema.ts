import { z } from "zod/mini";
import { agentFinishes, type EarlyFinish } from "../agent/ending.ts";
import type { Message } from "./message.ts";

const vendor = z.optional(z.json());

const untrusted = z.optional(z.literal(true));

const earlyFinishes = agentFinishes.filter((finish): finish is EarlyFinish => finish !== "completed");
const incomplete = z.optional(z.enum(earlyFinishes));

const origin = z.optional(z.object({ runId: z.string(), nodeId: z.string(), title: z.string() }));
const failure = z.optional(z.object({ message: z.string(), hint: z.string() }));

const sources = z.optional(z.array(z.object({ url: z.string(), title: z.optional(z.string()) })));

/** A masked one has neither name nor hash. */
const file = z.object({
  $file: z.uuid(),
  name: z.string(),
  mediaType: z.string(),
  size: z.int(),
  sha256: z.string(),
});

const files = z.optional(z.array(file));

const textPart = z.object({ type: z.literal("text"), text: z.string(), vendor });
const imagePart = z.object({ type: z.literal("image"), url: z.string(), vendor });
const madeFilePart = z.object({ type: z.literal("made-file"), file, vendor });
const filePart = z.object({ type: z.literal("file"), url: z.string(), name: z.optional(z.string()) });
const reasoningPart = z.object({ type: z.literal("reasoning"), text: z.string(), vendor });
const toolCallPart = z.object({
  type: z.literal("tool-call"),
  callId: z.string(),
  toolName: z.string(),
  arguments: z.string(),
  vendor,
});

/** Parses a message that comes from storage or from a file. Keys that no message has are left out. */
export const messageSchema: z.ZodMiniType<Message> = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), text: z.string() }),
  z.object({
    role: z.literal("user"),
    untrusted,
    caller: z.optional(z.literal(true)),
    origin,
    files,
    parts: z.array(z.discriminatedUnion("type", [textPart, imagePart, filePart])),
  }),
  z.object({
    role: z.literal("assistant"),
    untrusted,
    incomplete,
    failure,
    sources,
    parts: z.array(z.discriminatedUnion("type", [textPart, reasoningPart, toolCallPart, imagePart, madeFilePart])),
  }),
  z.object({
    role: z.literal("tool"),
    callId: z.string(),
    toolName: z.string(),
    ok: z.boolean(),
    text: z.string(),
    rejected: z.optional(z.literal(true)),
    images: z.optional(z.array(z.string())),
    files,
    untrusted: z.optional(z.boolean()),
  }),
]);
