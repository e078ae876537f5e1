import type { JsonObject } from "../../../../src/engine/json.ts";
import { studioVersion } from "../../../../src/engine/studio-version.ts";
import { type DoorCall, problemOf, sha256 } from "../../_shared/door.ts";
import { doorBase } from "../../_shared/door-base.ts";
import { cancelRun } from "../../_shared/door-runs.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import type { SupabaseClient } from "../../_shared/supabase-client.ts";
import type { ApiKey } from "../run/api-key.ts";
import { callTool } from "./call-tool.ts";
import type { McpTool } from "./mcp-tools.ts";

/** One message of a client, and what it is answered from. */
export interface McpMessage {
  call: Pick<DoorCall, "request" | "takeStream">;
  /** The message, parsed as JSON. */
  body: unknown;
  key: ApiKey;
  /** What numbers of requests are unique in: a session, or where the protocol has none, the request itself. */
  session: string;
  tools: readonly McpTool[];
  context: FunctionContext;
}

/** What a client speaks that names no version (Model Context Protocol, transports, "Protocol Version Header"). */
const unnamedVersion = "2025-03-26";

/** What numbers a request. */
type RequestId = string | number;

/**
 * Whether a message is of the protocol's versions with sessions (to 2025-11-25), and not of those in which each request stands for
 * itself (from 2026-07-28).
 */
export async function isOfSession(request: Request, body: unknown): Promise<boolean> {
  const { isLegacyRequest } = await import("@modelcontextprotocol/server");
  return isLegacyRequest(request, body);
}

/**
 * Answers one message of any version of the protocol. Nothing is kept between messages, so that any process can answer the next one: a
 * call is found again by the idempotency key of its run.
 */
export async function answerMessage({ call, body, key, session, tools, context }: McpMessage): Promise<Response> {
  const { supabase } = context;
  // Only MCP clients need it.
  const protocol = await import("@modelcontextprotocol/server");
  const requestKey = async (id: RequestId): Promise<string> =>
    `mcp ${await sha256(JSON.stringify([key.id, session, id]))}`;
  const { signal } = call.request;

  function createServer(era: "legacy" | "modern") {
    const server = new protocol.Server(
      { name: "switchyard", version: studioVersion },
      // Nobody is told when a list changes: there is no stream of the server's own.
      { capabilities: { tools: { listChanged: false } } },
    );

    server.setRequestHandler("tools/list", () => ({
      tools: tools.map(({ door, description, input }) => ({
        name: door.slug,
        title: door.name,
        description,
        inputSchema: input.schema,
      })),
    }));

    server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
      const tool = tools.find(({ door }) => door.slug === params.name);
      if (tool === undefined)
        throw new protocol.ProtocolError(protocol.ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      const { _meta: meta, id, notify } = mcpReq;
      const progressToken = meta?.progressToken;
      const own = await requestKey(id);
      // In the versions without sessions a client cancels a call by closing its stream.
      if (era === "modern") {
        const cancel = () => void cancelCall(own, key, supabase).catch(problemOf);
        if (signal.aborted) cancel();
        else signal.addEventListener("abort", cancel, { once: true });
      }
      let progress = 0;
      const result = await callTool(
        {
          tool,
          // Parsed from JSON.
          given: (params.arguments ?? {}) as JsonObject,
          key,
          requestKey: own,
          signal,
          follow: (run) => call.takeStream({ run }),
          base: doorBase(call.request, context.environment),
          version: call.request.headers.get("mcp-protocol-version") ?? unnamedVersion,
          async tell(message) {
            if (progressToken === undefined) return;
            progress += 1;
            await notify({ method: "notifications/progress", params: { progressToken, progress, message } });
          },
        },
        context,
      );
      return { ...result };
    });

    server.setNotificationHandler("notifications/cancelled", async ({ params }) => {
      if (params.requestId !== undefined) await cancelCall(await requestKey(params.requestId), key, supabase);
    });
    return server;
  }

  const handler = protocol.createMcpHandler(({ era }) => createServer(era));
  return handler.fetch(call.request, { parsedBody: body });
}

/** Milliseconds after which a run is looked for that was not there yet: its start may still be under way. */
const looks = [0, 150, 500, 1_500];

/** Ends the run of a call. One that has ended, or another client's, is left as it is. */
async function cancelCall(requestKey: string, key: ApiKey, supabase: SupabaseClient): Promise<void> {
  const asked = { p_owner: key.owner, p_api_key_id: key.id, p_key: requestKey };
  for (const pause of looks) {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    const id = await supabase.callAsService("studio_door_run_of_key", asked, "reads");
    if (typeof id === "string") return void (await cancelRun(supabase, id));
  }
}
