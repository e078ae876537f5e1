import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ElicitResultSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type LoopbackServer, startLoopbackServer } from "../../supabase/functions/_shared/testing/loopback-server.ts";

const requestedSchema = {
  type: "object" as const,
  properties: { size: { type: "string" as const, enum: ["s", "l"], default: "s" } },
};

/** What the server lists. */
export const sizeTool = { name: "size", description: "Asks.", inputSchema: { type: "object" as const } };

/** An MCP server whose one tool asks for a size and gives back the answer as it came. */
export async function startAskingServer(): Promise<LoopbackServer> {
  const server = new Server({ name: "asks", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [sizeTool] }));
  server.setRequestHandler(CallToolRequestSchema, async (_request, { sendRequest }) => {
    const params = { mode: "form" as const, message: "Which size?", requestedSchema };
    const answer = await sendRequest({ method: "elicitation/create", params }, ElicitResultSchema);
    return { content: [{ type: "text", text: JSON.stringify(answer) }] };
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
  await server.connect(transport);
  const loopback = await startLoopbackServer((request, response) => {
    const { body = "" } = loopback.seen.at(-1) ?? {};
    void transport.handleRequest(request, response, body === "" ? undefined : JSON.parse(body));
  });
  return loopback;
}
