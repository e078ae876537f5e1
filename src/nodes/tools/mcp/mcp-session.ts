import { z } from "zod/mini";
import type { ToolCallContext, ToolResult } from "../../../engine/tool/tool.ts";
import { jsonProblem } from "../../../engine/document/json-problem.ts";
import type { Host, McpConnection } from "../../../engine/host.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { RunError } from "../../../engine/errors.ts";
import { CallsUnderWay } from "./calls-under-way.ts";
import { markedArguments, resultValidator } from "./exact-messages.ts";
import { elicit } from "./elicit.ts";
import { stripHidden } from "./hidden-text.ts";
import { mapResult } from "./map-result.ts";
import { listOffers, type McpOffers } from "./list-offers.ts";
import { mapPrompt, mapResource } from "./map-context.ts";
import { isSessionGone, mcpFailure } from "./mcp-failure.ts";
import { createMcpFetch } from "./mcp-fetch.ts";
import type { McpTool } from "./tool-pin.ts";

/** Milliseconds for opening a session and for each page of its list. */
const openTimeoutMs = 30_000;
/** The engine limits the time of a call, and stops its clock while a person is asked; the client's own clock stands aside. */
const noTimeout = 2 ** 31 - 1;
const mostTools = 1_000;
const mostPages = 50;

/** What a call may do besides answering. Its time is limited by `signal`. */
type McpCallOptions = Pick<ToolCallContext, "signal" | "ask" | "pausedWhile" | "tellProgress">;

/** An open session with an MCP server. */
export interface McpSession {
  /** What the server calls itself. */
  server: { name: string; version: string };
  /** What it says it has besides tools. */
  has: { resources: boolean; prompts: boolean };
  tools: McpTool[];
  /** Calls a tool by the server's own name. A session that the server forgot is opened anew, once. Never rejects. */
  call(name: string, input: JsonObject, options: McpCallOptions): Promise<ToolResult>;
  /** What the server has besides tools; nothing that it does not say it has is asked for. Throws a RunError. */
  listOffers(signal: AbortSignal): Promise<McpOffers>;
  /** Reads a resource, under the same terms as a call. */
  readResource(uri: string, options: McpCallOptions): Promise<ToolResult>;
  /** Fills in a prompt, under the same terms as a call. */
  getPrompt(name: string, values: Record<string, string>, options: McpCallOptions): Promise<ToolResult>;
  /** Ends the session. Never rejects. */
  close(): Promise<void>;
}

const listedTool = z.looseObject({
  // The name becomes a key of the pins, and a document with a key such as `constructor` could not be read again.
  name: z.string().check(
    z.minLength(1),
    z.maxLength(512),
    z.refine((name) => jsonProblem({ [name]: "" }, { characters: 1_000, depth: 1 }) === undefined),
  ),
  description: z._default(z.string(), ""),
  inputSchema: z.catch(z.record(z.string(), z.json()), { type: "object" }),
});

/** The client comes when it is first needed: most workflows have no MCP server. */
async function connect(host: Host, connection: McpConnection, calls: CallsUnderWay, signal: AbortSignal) {
  const [{ Client }, { StreamableHTTPClientTransport }, { ElicitRequestSchema }] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  // The client's own validator generates code, which the site's policy forbids.
  const jsonSchemaValidator = resultValidator;
  const capabilities = { elicitation: { form: { applyDefaults: true } } };
  const client = new Client({ name: "switchyard", version: "1.0.0" }, { capabilities, jsonSchemaValidator });
  client.setRequestHandler(ElicitRequestSchema, (request: { params: unknown }, extra: { signal: AbortSignal }) =>
    elicit(request.params, calls, extra.signal),
  );
  // The host decides on the address; this one stands in for it.
  const transport = new StreamableHTTPClientTransport(new URL("https://mcp.invalid/mcp"), {
    fetch: createMcpFetch(host, connection, calls),
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
  const calls = new CallsUnderWay();
  let connected: Connected | undefined;
  try {
    connected = await connect(host, connection, calls, signal);
    const tools = await listTools(connected, signal);
    return sessionOf({ host, connection, calls, first: connected, tools });
  } catch (error) {
    if (connected) void end(connected);
    signal.throwIfAborted();
    throw new RunError(mcpFailure(error));
  }
}

/** Of `notifications/progress`. */
interface ProgressNews {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** One request over an open session. */
type Ask = (
  client: Connected["client"],
  request: { signal: AbortSignal; timeout: number; onprogress(news: ProgressNews): void },
) => Promise<ToolResult>;

interface SessionParts {
  host: Host;
  connection: McpConnection;
  calls: CallsUnderWay;
  first: Connected;
  tools: McpTool[];
}

function sessionOf({ host, connection, calls, first, tools }: SessionParts): McpSession {
  let open = Promise.resolve(first);
  const version = first.client.getServerVersion();

  /** Does the work; where the server forgot the session meanwhile, once more over a new one. */
  async function overSession<Value>(signal: AbortSignal, work: (over: Connected) => Promise<Value>): Promise<Value> {
    const used = open;
    try {
      return await work(await used);
    } catch (error) {
      if (!isSessionGone(error)) throw error;
      // Parallel calls of one forgotten session share the new one.
      if (open === used) {
        calls.closeNews();
        open = connect(host, connection, calls, signal);
      }
      return await work(await open);
    }
  }

  /** Makes a request that a person can be asked during. Never rejects. */
  async function perform(options: McpCallOptions, ask: Ask): Promise<ToolResult> {
    const end = calls.begin(options);
    try {
      return await overSession(options.signal, async ({ client, transport }) => {
        await calls.openNews(host, (from) => transport.resumeStream(from));
        return await ask(client, {
          signal: options.signal,
          timeout: noTimeout,
          onprogress: ({ progress, total, message }: ProgressNews) =>
            options.tellProgress({ progress, total, text: message === undefined ? undefined : stripHidden(message) }),
        });
      });
    } catch (error) {
      const { message, hint, code } = mcpFailure(error);
      return { ok: false, error: { message, hint, code } };
    } finally {
      end();
    }
  }

  const schemaOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema ?? {};
  const capabilities = first.client.getServerCapabilities();
  const has = { resources: capabilities?.resources !== undefined, prompts: capabilities?.prompts !== undefined };

  return {
    server: { name: version?.name ?? "", version: version?.version ?? "" },
    has,
    tools,
    call: (name, input, options) =>
      perform(options, async (client, request) =>
        mapResult(
          await client.callTool({ name, arguments: markedArguments(input, schemaOf(name)) }, undefined, request),
        ),
      ),
    async listOffers(signal) {
      try {
        const request = { signal, timeout: openTimeoutMs };
        return await overSession(signal, ({ client }) => listOffers(client, has, request));
      } catch (error) {
        signal.throwIfAborted();
        throw new RunError(mcpFailure(error));
      }
    },
    async readResource(uri, options) {
      if (!has.resources) return notOffered("resources");
      return await perform(options, async (client, request) =>
        mapResource(await client.readResource({ uri }, request)),
      );
    },
    async getPrompt(name, values, options) {
      if (!has.prompts) return notOffered("prompts");
      const params = { name, arguments: values };
      return await perform(options, async (client, request) => mapPrompt(await client.getPrompt(params, request)));
    },
    async close() {
      await open.then(end, () => {});
    },
  };
}

function notOffered(what: string): ToolResult {
  const hint = "List what the server has in the node's settings, and choose again.";
  return { ok: false, error: { message: `The MCP server has no ${what}.`, hint, code: "tool_error" } };
}
