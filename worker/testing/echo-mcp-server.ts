import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type LoopbackServer, startLoopbackServer } from "../../supabase/functions/_shared/testing/loopback-server.ts";

/** What the server lists. */
export const echoTool = { name: "echo", description: "Echoes.", inputSchema: { type: "object" as const } };

/** An MCP server whose one tool gives back what it was given, as JSON. */
export async function startEchoServer(): Promise<LoopbackServer> {
  const server = new Server({ name: "echoes", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [echoTool] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: "text", text: JSON.stringify(params.arguments) }],
  }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
  await server.connect(transport);
  const loopback = await startLoopbackServer((request, response) => {
    const { body = "" } = loopback.seen.at(-1) ?? {};
    void transport.handleRequest(request, response, body === "" ? undefined : JSON.parse(body));
  });
  return loopback;
}
