import { z } from "zod/mini";
import { describeIssues } from "../_shared/describe-issues.ts";
import { failure, success, type Failure, type Outcome } from "../_shared/failure.ts";
import { jsonEndpoint } from "../_shared/json-endpoint.ts";
import { createTextSealer, type TextSealer } from "./seal-text.ts";

/** Most texts of one request. */
const most = 1_000;
/** Most bytes of text that one request encrypts, so that the result fits into a request that decrypts it. */
const mostSealedBytes = 8 * 1024 * 1024;

const place = {
  /** Null: shared by all of the owner's workflows. */
  workflowId: z.nullable(z.string().check(z.minLength(1), z.maxLength(200))),
  sessionId: z.string().check(z.minLength(1), z.maxLength(1_000)),
  /** A title cannot stand in for a message, nor a message for a title. */
  kind: z.enum(["message", "title"]),
};

const requestSchema = z.discriminatedUnion("action", [
  z.strictObject({
    action: z.literal("seal"),
    texts: z.array(z.strictObject({ ...place, text: z.string() })).check(z.minLength(1), z.maxLength(most)),
  }),
  z.strictObject({
    action: z.literal("open"),
    texts: z
      .array(
        z.strictObject({
          ...place,
          id: z.string().check(z.minLength(1), z.maxLength(100)),
          key: z.int().check(z.positive()),
          sealed: z.string(),
        }),
      )
      .check(z.minLength(1), z.maxLength(most)),
  }),
]);

/**
 * `POST /functions/v1/conversations`: encrypts and decrypts what a signed-in user's memories keep. It stores nothing; the
 * studio reads and writes the rows itself.
 *
 * Requests: `{ action: "seal", texts: [{ workflowId, sessionId, kind, text }] }` → `{ sealed: [{ id, key, sealed }] }`, and
 * `{ action: "open", texts: [{ workflowId, sessionId, kind, id, key, sealed }] }` → `{ texts: [{ ok: true, text } |
 * { ok: false, reason }] }`, both in the order asked; `reason` is `changed` for a text that is not as it was sealed for this
 * user, workflow, session and kind, `key` where its key is gone. At most 1,000 texts, 16 MiB a request and 8 MiB of text to
 * encrypt. Errors: 400 `invalid_config`, 401, 413, 429, 500 (also when this installation has no key).
 */
export const conversationsEndpoint = jsonEndpoint({
  rateLimit: { bucket: "conversations", perMinute: 600, concurrent: 60, slotSeconds: 30 },
  maxBytes: 16 * 1024 * 1024,
  async perform(body, caller, { environment }) {
    const parsed = requestSchema.safeParse(body);
    if (!parsed.success) return describeIssues(parsed.error, "The request");
    return perform(parsed.data, createTextSealer(environment, caller.userId));
  },
});

async function perform(request: z.infer<typeof requestSchema>, sealer: TextSealer): Promise<Outcome<unknown>> {
  switch (request.action) {
    case "seal": {
      const encoder = new TextEncoder();
      const bytes = request.texts.reduce((sum, { text }) => sum + encoder.encode(text).length, 0);
      if (bytes > mostSealedBytes) return tooMuch();
      const sealed = [];
      for (const { text, ...where } of request.texts) {
        const one = await sealer.seal(where, text);
        if (!one.ok) return one;
        sealed.push(one.value);
      }
      return success({ sealed });
    }
    case "open": {
      const texts = [];
      for (const { id, key, sealed, ...where } of request.texts) {
        texts.push(await sealer.open(where, { id, key, sealed }));
      }
      return success({ texts });
    }
    default:
      return request satisfies never;
  }
}

function tooMuch(): { ok: false; error: Failure } {
  const hint = "Keep less of what tools return in the conversation, or turn its encryption off.";
  return failure("invalid_config", "A turn of more than 8 MB cannot be encrypted.", hint);
}
