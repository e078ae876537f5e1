import { z } from "zod/mini";
import { secretPlaces } from "../../../src/engine/credentials/secret-places.ts";
import { openStored } from "../_shared/door-secrets.ts";
import { describeIssues } from "../_shared/describe-issues.ts";
import { targetPolicy } from "../_shared/endpoint.ts";
import { success, type Outcome } from "../_shared/failure.ts";
import { guardedFetch, type GuardOptions } from "../_shared/guarded-fetch.ts";
import { jsonEndpoint } from "../_shared/json-endpoint.ts";
import { standardHeaders } from "../_shared/webhooks/standard-webhook.ts";

const requestSchema = z.strictObject({ notice: z.uuid() });

const noticeSchema = z.object({
  workflowId: z.string(),
  url: z.string(),
  body: z.unknown(),
  /** As it is stored. */
  secret: z.nullable(z.string()),
});

/** What is sent: where to, what, and the secret that signs it. */
type Notice = Pick<z.infer<typeof noticeSchema>, "url" | "body" | "secret">;

/**
 * `POST /functions/v1/send-notice`: tells the webhook of a published workflow that something failed. Workers call it for the
 * owner of the workflow.
 *
 * Request: `{ notice }`, its id. Response: 200 with `{ sent, problem? }`; what became of it is stored, and one that was not sent
 * comes due again. A notice that is not the caller's, or was sent, is `{ sent: false }`. Errors: 400, 401, 429, 500.
 */
export const sendNoticeEndpoint = jsonEndpoint({
  rateLimit: { bucket: "send-notice", perMinute: 60, concurrent: 5, slotSeconds: 60 },
  maxBytes: 4 * 1024,
  async perform(body, caller, context, { signal }): Promise<Outcome<{ sent: boolean; problem?: string }>> {
    const request = requestSchema.safeParse(body);
    if (!request.success) return describeIssues(request.error, "The request");
    const id = request.data.notice;
    const asked = { p_id: id, p_owner: caller.userId };
    const notice = z
      .nullable(noticeSchema)
      .parse(await context.supabase.callAsService("studio_read_notice", asked, "reads"));
    if (notice === null) return success({ sent: false, problem: "There is no such notice." });
    const policy = targetPolicy(context.environment);
    const { workflowId, secret } = notice;
    const stored = { store: "failures", owner: caller.userId, workflowId, name: "secret" } as const;
    const opened =
      secret === null ? null : await openStored(context, { ...stored, place: secretPlaces.failures, text: secret });
    const guard = { ...policy, resolve: context.resolve, signal, share: context.share };
    const problem =
      opened === undefined
        ? "Its signing secret cannot be opened. Make a new one."
        : await sendNotice(id, { ...notice, secret: opened }, guard);
    await context.supabase.callAsService("studio_end_notice", { p_id: id, p_problem: problem ?? null });
    return success(problem === undefined ? { sent: true } : { sent: false, problem });
  },
});

const timeoutMs = 15_000;
const maxAnswerBytes = 16 * 1024;

/**
 * Sends a notice, signed as Standard Webhooks say; its id is the `webhook-id`, the same each time. Undefined once a server has
 * taken it (2xx), otherwise why not, in words.
 */
export async function sendNotice(id: string, notice: Notice, options: GuardOptions): Promise<string | undefined> {
  if (notice.secret === null) return "It has no signing secret. Make one.";
  const body = JSON.stringify(notice.body);
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Switchyard",
    ...(await standardHeaders([notice.secret], { id, timestamp, body })),
  };
  const answer = await guardedFetch(
    { url: notice.url, method: "POST", headers, body },
    { ...options, followRedirects: false, timeoutMs: timeoutMs, maxBytes: maxAnswerBytes },
  );
  if (!answer.ok) return answer.error.message;
  const { status } = answer.value;
  return status >= 200 && status < 300 ? undefined : `It answered with the status ${status}.`;
}
