import { z } from "zod";

const message = z.record(z.string(), z.json()).refine((value) => typeof value["role"] === "string", "It has no role.");

const place = {
  /** Id of a credential of type redis. */
  credential: z.string().min(1).max(100),
  keyPrefix: z.string().max(200).default("agent:memory:"),
  /** Null: shared by all of the owner's workflows. */
  workflowId: z.string().min(1).max(200).nullable(),
};

const session = {
  ...place,
  sessionId: z.string().min(1).max(1_000),
  /** Seconds after the last write until the conversation is gone; 0 keeps it. */
  ttlSeconds: z.number().int().min(0).max(31_536_000).default(0),
};

/** What a caller may ask for. */
export const redisMemoryRequestSchema = z.discriminatedUnion("action", [
  /** The last `limit` messages, oldest first; all when absent. */
  z.strictObject({ action: z.literal("load"), ...session, limit: z.number().int().min(1).max(10_000).optional() }),
  /** All messages of a turn, or none. */
  z.strictObject({
    action: z.literal("append"),
    ...session,
    messages: z.array(message).min(1).max(5_000),
    /** Names the write: one that is made again with the same id adds nothing. */
    writeId: z.string().min(1).max(100).optional(),
    /** When each was written, in milliseconds since 1970; now where it is null or absent. */
    times: z.array(z.number().int().min(0).nullable()).max(5_000).optional(),
  }),
  /** Another message in the place of `expected` at `index`, or none; refused when something else stands there by now. */
  z.strictObject({
    action: z.literal("replace"),
    ...session,
    index: z.number().int().min(0),
    expected: message,
    message: message.nullable(),
  }),
  z.strictObject({ action: z.literal("clear"), ...session }),
  /** The first messages of several conversations, by which they are called. */
  z.strictObject({
    action: z.literal("beginnings"),
    credential: place.credential,
    keyPrefix: place.keyPrefix,
    sessions: z.array(z.strictObject({ workflowId: place.workflowId, sessionId: session.sessionId })).max(500),
  }),
  /** The conversations of a workflow and the shared ones. */
  z.strictObject({ action: z.literal("sessions"), ...place }),
]);

/** A parsed request of any action. */
export type RedisMemoryRequest = z.infer<typeof redisMemoryRequestSchema>;

/** A request of one action. */
export type RequestOf<Action extends RedisMemoryRequest["action"]> = Extract<RedisMemoryRequest, { action: Action }>;
