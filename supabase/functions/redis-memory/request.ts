import { z } from "zod/mini";

const message = z
  .record(z.string(), z.json())
  .check(z.refine((value) => typeof value["role"] === "string", "It has no role."));

const place = {
  /** Id of a credential of type redis. */
  credential: z.string().check(z.minLength(1), z.maxLength(100)),
  keyPrefix: z._default(z.string().check(z.maxLength(200)), "agent:memory:"),
  /** Null: shared by all of the owner's workflows. */
  workflowId: z.nullable(z.string().check(z.minLength(1), z.maxLength(200))),
};

const session = {
  ...place,
  sessionId: z.string().check(z.minLength(1), z.maxLength(1_000)),
  /** Seconds after the last write until the conversation is gone; 0 keeps it. */
  ttlSeconds: z._default(z.int().check(z.minimum(0), z.maximum(31_536_000)), 0),
};

/** What a caller may ask for. */
export const redisMemoryRequestSchema = z.discriminatedUnion("action", [
  /** The last `limit` messages, oldest first; all when absent. */
  z.strictObject({
    action: z.literal("load"),
    ...session,
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
  }),
  /** All messages of a turn, or none. */
  z.strictObject({
    action: z.literal("append"),
    ...session,
    messages: z.array(message).check(z.minLength(1), z.maxLength(5_000)),
    /** Names the write: one that is made again with the same id adds nothing. */
    writeId: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    /** When each was written, in milliseconds since 1970; now where it is null or absent. */
    times: z.optional(z.array(z.nullable(z.int().check(z.minimum(0)))).check(z.maxLength(5_000))),
  }),
  /** Another message in the place of `expected` at `index`, or none; refused when something else stands there by now. */
  z.strictObject({
    action: z.literal("replace"),
    ...session,
    index: z.int().check(z.minimum(0)),
    expected: message,
    message: z.nullable(message),
  }),
  z.strictObject({ action: z.literal("clear"), ...session }),
  /** The first messages of several conversations, by which they are called. */
  z.strictObject({
    action: z.literal("beginnings"),
    credential: place.credential,
    keyPrefix: place.keyPrefix,
    sessions: z
      .array(z.strictObject({ workflowId: place.workflowId, sessionId: session.sessionId }))
      .check(z.maxLength(500)),
  }),
  /** The conversations of a workflow and the shared ones. */
  z.strictObject({ action: z.literal("sessions"), ...place }),
]);

/** A parsed request of any action. */
export type RedisMemoryRequest = z.infer<typeof redisMemoryRequestSchema>;

/** A request of one action. */
export type RequestOf<Action extends RedisMemoryRequest["action"]> = Extract<RedisMemoryRequest, { action: Action }>;
