import { z } from "zod/mini";
import type { Host, McpConnection } from "../../../engine/host.ts";
import { RunError, runErrorCodes } from "../../../engine/errors.ts";
import { exactAnswer, withBareDigits } from "./exact-messages.ts";
import { callHeader, markQuestions } from "./mark-questions.ts";
import type { CallsUnderWay } from "./calls-under-way.ts";
import { ownErrorHeader } from "../../../engine/studio-headers.ts";

const ownError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z._default(z.string(), ""),
    retryable: z.catch(z.boolean(), false),
  }),
});

/** Why the way to the server was refused, in the words of the function that stands on it. */
async function refusal(response: Response): Promise<RunError> {
  const parsed = ownError.safeParse(await response.json().catch(() => null));
  if (!parsed.success) {
    const message = `The proxy for MCP servers answered with status ${response.status}.`;
    return new RunError({ code: "internal", message, hint: "Try again.", retryable: true });
  }
  const { code, message, hint, retryable } = parsed.data.error;
  return new RunError({
    code: runErrorCodes.find((known) => known === code) ?? "tool_error",
    message,
    hint,
    retryable,
  });
}

const noNews = () => new Response(null, { status: 405 });

/** Milliseconds between two goes at a stream that breaks off: how soon to come again is what the server says. */
const leastBetween = 1_000;

/**
 * The fetch of an MCP client, through the host. Streams that wait for news of the server are open while a call is under way,
 * for what it may ask: a run takes its tools as they were when it began. Rejects with a RunError when the request did not
 * reach the server.
 */
export function createMcpFetch(
  host: Pick<Host, "mcpFetch" | "now" | "sleep">,
  connection: McpConnection,
  calls: CallsUnderWay,
) {
  let resumedAt = -Infinity;
  async function openStream(init: RequestInit): Promise<Response> {
    if (!calls.isAny) return noNews();
    const signal = init.signal ? AbortSignal.any([init.signal, calls.signal]) : calls.signal;
    const isNews = !new Headers(init.headers).has("last-event-id");
    if (!isNews) {
      const wait = resumedAt + leastBetween - host.now();
      resumedAt = Math.max(resumedAt + leastBetween, host.now());
      if (wait > 0) await host.sleep(wait, signal);
    }
    const response = await host.mcpFetch(connection, { ...init, signal });
    if (response.ok || !isNews) return response;
    if (response.status === 405) calls.refuseNews();
    else calls.closeNews();
    // What else is wrong is for the call itself to say.
    await response.body?.cancel();
    return noNews();
  }

  return async (_url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    const call = headers.get(callHeader) ?? undefined;
    headers.delete(callHeader);
    const body = typeof init.body === "string" ? withBareDigits(init.body) : init.body;
    const sent = { ...init, headers, ...(body === undefined ? {} : { body }) };
    const response = init.method === "GET" ? await openStream(init) : await host.mcpFetch(connection, sent);
    if (response.headers.has(ownErrorHeader)) throw await refusal(response);
    const answer = await exactAnswer(response, init.body);
    return call !== undefined || init.method === "GET" ? markQuestions(answer, call) : answer;
  };
}
