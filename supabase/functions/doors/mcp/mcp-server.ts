import type { JsonObject } from "../../../../src/engine/json.ts";
import { type DoorCall, sha256 } from "../../_shared/door.ts";
import { cancelRun } from "../../_shared/door-runs.ts";
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
  /** What numbers of requests are unique in. */
  session: string;
  tools: readonly McpTool[];
  supabase: SupabaseClient;
}

/** What numbers a request. */
type RequestId = string | number;

/** What the handlers read of a message. */
interface ToolRequest {
  params: { name: string; arguments?: Record<string, unknown> | undefined };
}
interface Cancellation {
  params: { requestId?: RequestId | undefined };
}
interface Surroundings {
  requestId: RequestId;
  _meta?: { progressToken?: RequestId | undefined } | undefined;
  sendNotification: (notification: {
    method: "notifications/progress";
    params: { progressToken: RequestId; progress: number; message: string };
  }) => Promise<void>;
}

/**
 * Answers one message. Nothing is kept between messages, so that any process can answer the next one: a call is found again by
 * the idempotency key of its run.
 */
export async function answerMessage({ call, body, key, session, tools, supabase }: McpMessage): Promise<Response> {
  // Only MCP clients need it.
  const [{ McpServer }, { WebStandardStreamableHTTPServerTransport }, protocol] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/mcp.js"),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const { server } = new McpServer({ name: "switchyard", version: "1.0.0" }, { capabilities: { tools: {} } });
  const requestKey = async (id: RequestId): Promise<string> =>
    `mcp ${await sha256(JSON.stringify([key.id, session, id]))}`;

  server.setRequestHandler(protocol.ListToolsRequestSchema, () => ({
    tools: tools.map(({ door, description, input }) => ({
      name: door.slug,
      title: door.name,
      description,
      inputSchema: input.schema,
    })),
  }));

  server.setRequestHandler(protocol.CallToolRequestSchema, async ({ params }: ToolRequest, extra: Surroundings) => {
    const tool = tools.find(({ door }) => door.slug === params.name);
    if (tool === undefined)
      throw new protocol.McpError(protocol.ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    const { _meta: meta, requestId, sendNotification } = extra;
    const progressToken = meta?.progressToken;
    let progress = 0;
    return callTool(
      {
        tool,
        // Parsed from JSON.
        given: (params.arguments ?? {}) as JsonObject,
        key,
        requestKey: await requestKey(requestId),
        signal: call.request.signal,
        follow: (run) => call.takeStream({ run }),
        async tell(message) {
          if (progressToken === undefined) return;
          progress += 1;
          await sendNotification({
            method: "notifications/progress",
            params: { progressToken, progress, message },
          });
        },
      },
      supabase,
    );
  });

  server.setNotificationHandler(protocol.CancelledNotificationSchema, async ({ params }: Cancellation) => {
    if (params.requestId !== undefined) await cancelCall(await requestKey(params.requestId), key, supabase);
  });

  const transport = new WebStandardStreamableHTTPServerTransport();
  await server.connect(transport);
  return transport.handleRequest(call.request, { parsedBody: body });
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
