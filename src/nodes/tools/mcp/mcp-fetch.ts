import { z } from "zod";
import type { Host, McpConnection } from "../../../engine/host.ts";
import { RunError, runErrorCodes } from "../../../engine/run/errors.ts";

const ownError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z.string().default(""),
    retryable: z.boolean().catch(false),
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

/**
 * The fetch of an MCP client, through the host. A stream that only waits for news of the server is not opened: a run takes
 * its tools as they were when it began. Rejects with a RunError when the request did not reach the server.
 */
export function createMcpFetch(host: Pick<Host, "mcpFetch">, connection: McpConnection) {
  return async (_url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const isNews = init.method === "GET" && !new Headers(init.headers).has("last-event-id");
    if (isNews) return new Response(null, { status: 405 });
    const response = await host.mcpFetch(connection, init);
    if (response.headers.has("x-switchyard-error")) throw await refusal(response);
    return response;
  };
}
