import { z } from "zod";
import type { ToolResult } from "../../../engine/agent/tool.ts";
import { jsonProblem } from "../../../engine/document/json-problem.ts";
import type { Host, McpConnection } from "../../../engine/host.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { RunError } from "../../../engine/run/errors.ts";
import { mapResult } from "./map-result.ts";
import { isSessionGone, mcpFailure } from "./mcp-failure.ts";
import { createMcpFetch } from "./mcp-fetch.ts";
import type { McpTool } from "./tool-pin.ts";

/** Milliseconds for opening a session and for each page of its list. */
const openTimeoutMs = 30_000;
const mostTools = 1_000;
const mostPages = 50;

interface McpCallOptions {
  signal: AbortSignal;
  /** Milliseconds. */
  timeoutMs: number;
}

/** An open session with an MCP server. */
export interface McpSession {
  /** What the server calls itself. */
  server: { name: string; version: string };
  tools: McpTool[];
  /** Calls a tool by the server's own name. A session that the server forgot is opened anew, once. Never rejects. */
  call(name: string, input: JsonObject, options: McpCallOptions): Promise<ToolResult>;
  /** Ends the session. Never rejects. */
  close(): Promise<void>;
}

const listedTool = z.looseObject({
  // The name becomes a key of the pins, and a document with a key such as `constructor` could not be read again.
  name: z
    .string()
    .min(1)
    .max(512)
    .refine((name) => jsonProblem({ [name]: "" }, { characters: 1_000, depth: 1 }) === undefined),
  description: z.string().default(""),
  inputSchema: z.record(z.string(), z.json()).catch({ type: "object" }),
});

/** The client comes when it is first needed: most workflows have no MCP server. */
async function connect(host: Host, connection: McpConnection, signal: AbortSignal) {
  const [{ Client }, { StreamableHTTPClientTransport }, { CfWorkerJsonSchemaValidator }] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
    import("@modelcontextprotocol/sdk/validation/cfworker-provider.js"),
  ]);
  // The client's own validator generates code, which the site's policy forbids.
  const jsonSchemaValidator = new CfWorkerJsonSchemaValidator();
  const client = new Client({ name: "switchyard", version: "1.0.0" }, { capabilities: {}, jsonSchemaValidator });
  // The host decides on the address; this one stands in for it.
  const transport = new StreamableHTTPClientTransport(new URL("https://mcp.invalid/mcp"), {
    fetch: createMcpFetch(host, connection),
  });
  await client.connect(transport, { signal, timeout: openTimeoutMs });
  return { client, transport };
}

type Connected = Awaited<ReturnType<typeof connect>>;

async function listTools({ client }: Connected, signal: AbortSignal): Promise<McpTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && tools.length < mostTools; page += 1) {
    const listed = await client.listTools(cursor === undefined ? {} : { cursor }, { signal, timeout: openTimeoutMs });
    for (const raw of listed.tools) {
      const known = listedTool.safeParse(raw);
      if (known.success) {
        const { name, description, inputSchema } = known.data;
        tools.push({ name, description, inputSchema });
      }
    }
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  return tools.slice(0, mostTools);
}

async function end({ client, transport }: Connected): Promise<void> {
  await transport.terminateSession().catch(() => {});
  await client.close().catch(() => {});
}

/** Opens a session and lists its tools. Throws a RunError when that fails, the signal's reason when it aborts. */
export async function openMcpSession(host: Host, connection: McpConnection, signal: AbortSignal): Promise<McpSession> {
  let connected: Connected | undefined;
  try {
    connected = await connect(host, connection, signal);
    const tools = await listTools(connected, signal);
    return sessionOf(host, connection, connected, tools);
  } catch (error) {
    if (connected) void end(connected);
    signal.throwIfAborted();
    throw new RunError(mcpFailure(error));
  }
}

function sessionOf(host: Host, connection: McpConnection, first: Connected, tools: McpTool[]): McpSession {
  let open = Promise.resolve(first);
  const version = first.client.getServerVersion();

  async function attempt(name: string, input: JsonObject, { signal, timeoutMs }: McpCallOptions): Promise<ToolResult> {
    const { client } = await open;
    const options = { signal, timeout: timeoutMs, resetTimeoutOnProgress: true, maxTotalTimeout: timeoutMs };
    return mapResult(await client.callTool({ name, arguments: input }, undefined, options));
  }

  return {
    server: { name: version?.name ?? "", version: version?.version ?? "" },
    tools,
    async call(name, input, options) {
      const used = open;
      try {
        return await attempt(name, input, options).catch((error: unknown) => {
          if (!isSessionGone(error)) throw error;
          // Parallel calls of one forgotten session share the new one.
          if (open === used) open = connect(host, connection, options.signal);
          return attempt(name, input, options);
        });
      } catch (error) {
        const { message, hint, code } = mcpFailure(error);
        return { ok: false, error: { message, hint, code } };
      }
    },
    async close() {
      await open.then(end, () => {});
    },
  };
}
