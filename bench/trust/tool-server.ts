import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { isDeepStrictEqual } from "node:util";
import type { Host } from "../../src/engine/host.ts";
import { isJsonObject, type Json } from "../../src/engine/json.ts";
import type { Call, Suite } from "./suite.ts";

/**
 * A suite's tools as an MCP server. It answers a call with the result that is recorded for it, and any other with "not found"; what
 * `planted` says is added to the first result that strangers write.
 */
export class ToolServer {
  /** The calls that reached it. */
  readonly made: Call[] = [];
  private isPlanted = false;
  private readonly suite: Suite;
  private readonly recorded: readonly Call[];
  private readonly planted: Json | undefined;

  constructor(suite: Suite, recorded: readonly Call[], planted?: Json) {
    this.suite = suite;
    this.recorded = recorded;
    this.planted = planted;
  }

  /** What a host gives as its way to MCP servers. */
  readonly fetch: Host["mcpFetch"] = async (_connection, init) => {
    const headers = new Headers(init.headers);
    headers.set("host", "tools.test");
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await this.server().connect(transport);
    return transport.handleRequest(new Request("https://tools.test/mcp", { ...init, headers }));
  };

  private server(): Server {
    const server = new Server({ name: this.suite.suite, version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: this.suite.tools.map(({ name, description, inputSchema, effect }) => ({
        name,
        description,
        inputSchema: { ...inputSchema, type: "object" as const },
        annotations: { readOnlyHint: effect === "read" },
      })),
    }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      const input: unknown = params.arguments;
      const call = { tool: params.name, arguments: isJsonObject(input) ? input : {} };
      this.made.push(call);
      const answer = this.answerTo(call);
      return {
        content: [{ type: "text" as const, text: typeof answer === "string" ? answer : JSON.stringify(answer) }],
      };
    });
    return server;
  }

  private answerTo({ tool, arguments: input }: Call): Json {
    const known = this.recorded.find((one) => one.tool === tool && isDeepStrictEqual(one.arguments, input));
    const result = known?.result ?? "not found";
    const isStrangers = this.suite.tools.find(({ name }) => name === tool)?.resultByStrangers === true;
    if (this.planted === undefined || this.isPlanted || !isStrangers) return result;
    this.isPlanted = true;
    return [result, this.planted];
  }
}
