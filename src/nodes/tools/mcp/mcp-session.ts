import { z } from "zod/mini";
import type { ToolCallContext, ToolResult } from "../../../engine/tool/tool.ts";
import { jsonProblem } from "../../../engine/document/json-problem.ts";
import type { Host, McpConnection } from "../../../engine/host.ts";
import { isJsonObject, type JsonObject, type JsonSchema } from "../../../engine/json.ts";
import { RunError } from "../../../engine/errors.ts";
import type { RunFiles } from "../../../engine/file/run-files.ts";
import { studioVersion } from "../../../engine/studio-version.ts";
import { appExtension, appLink } from "./app-link.ts";
import { type AppDocument, readAppDocument } from "./app-document.ts";
import { CallsUnderWay } from "./calls-under-way.ts";
import { asPromised } from "./as-promised.ts";
import { markedArguments, resultValidator } from "./exact-messages.ts";
import { elicit } from "./elicit.ts";
import { stripHidden } from "./hidden-text.ts";
import { callHeader, markedCall } from "./mark-questions.ts";
import { type KeepFile, mapResult } from "./map-result.ts";
import { listOffers, type McpOffers } from "./list-offers.ts";
import { mapPrompt, mapResource } from "./map-context.ts";
import { isSessionGone, mcpFailure, refusedMidway } from "./mcp-failure.ts";
import { createMcpFetch } from "./mcp-fetch.ts";
import { declaredHeaders, paramHeaders } from "./param-headers.ts";
import type { McpTool } from "./tool-pin.ts";

/** Milliseconds for opening a session and for each page of its list. */
const openTimeoutMs = 30_000;
/** Milliseconds for the question which versions a server knows. */
const versionTimeoutMs = 10_000;
/** The engine limits the time of a call, and stops its clock while a person is asked; the client's own clock stands aside. */
const noTimeout = 2 ** 31 - 1;
const mostTools = 1_000;
const mostPages = 50;

/** What a call may do besides answering. Its time is limited by `signal`. */
type McpCallOptions = Pick<ToolCallContext, "signal" | "ask" | "pausedWhile" | "tellProgress" | "log">;

/** Takes what a server answered, before it is read as a result. */
export type TakeResult = (result: JsonObject) => void;

/** An open session with an MCP server. */
export interface McpSession {
  /** What the server calls itself. */
  server: { name: string; version: string };
  /** What it says it has besides tools. */
  has: { resources: boolean; prompts: boolean };
  tools: McpTool[];
  /** How the server calls tools that cannot be read; the others work. */
  leftOut: string[];
  /** Calls a tool by the server's own name. A session that the server forgot is opened anew, once. Never rejects. */
  call(name: string, input: JsonObject, options: McpCallOptions, onResult?: TakeResult): Promise<ToolResult>;
  /** Reads a tool's interface, once. Throws a RunError. */
  readApp(uri: string, signal: AbortSignal): Promise<AppDocument>;
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
  description: z.catch(z.string(), ""),
  inputSchema: z.catch(z.record(z.string(), z.json()), { type: "object" }),
  outputSchema: z.catch(z.optional(z.record(z.string(), z.json())), undefined),
  annotations: z.catch(z.optional(z.looseObject({ readOnlyHint: z.optional(z.boolean()) })), undefined),
  _meta: z.optional(z.unknown()),
});

/** One page of a list. The client's own check refuses all tools for the sake of an odd one. */
const toolPage = z.looseObject({
  tools: z.catch(z.array(z.unknown()), []),
  nextCursor: z.catch(z.optional(z.string()), undefined),
});

const anyResult = z.looseObject({});

/** What a server lists as its tools. */
interface ListedTools {
  tools: McpTool[];
  leftOut: string[];
  /** What its tools promise of their results, by name. */
  outputSchemas: ReadonlyMap<string, JsonSchema>;
}

/**
 * Connects in the version that the server knows: it is asked in the newest one, and greeted in the way of the older ones where it
 * does not understand.
 */
async function connect(host: Host, connection: McpConnection, calls: CallsUnderWay, signal: AbortSignal) {
  try {
    return await connectAs("auto", host, connection, calls, signal);
  } catch (error) {
    if (signal.aborted || !isUnclear(error)) throw error;
    return await connectAs("legacy", host, connection, calls, signal);
  }
}

/** Whether the question for the version had no answer, or one of no use: there are older servers that break at what is new. */
function isUnclear(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error) || error.cause instanceof RunError) return false;
  return (
    error.code === "ERA_NEGOTIATION_FAILED" || (error.code === "REQUEST_TIMEOUT" && error.message.includes("probe"))
  );
}

/** The client comes when it is first needed: most workflows have no MCP server. */
async function connectAs(
  mode: "auto" | "legacy",
  host: Host,
  connection: McpConnection,
  calls: CallsUnderWay,
  signal: AbortSignal,
) {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client(
    { name: "switchyard", version: studioVersion },
    {
      capabilities: { elicitation: { form: { applyDefaults: true } }, extensions: appExtension },
      // The client's own validator generates code, which the site's policy forbids.
      jsonSchemaValidator: resultValidator,
      versionNegotiation: { mode, probe: { timeoutMs: versionTimeoutMs } },
    },
  );
  client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
    elicit({ params, call: markedCall(mcpReq) }, calls, mcpReq.signal),
  );
  // The host decides on the address; this one stands in for it.
  const transport = new StreamableHTTPClientTransport(new URL("https://mcp.invalid/mcp"), {
    fetch: createMcpFetch(host, connection, calls),
  });
  // The question for the version knows no signal.
  const stop = () => void transport.close();
  signal.addEventListener("abort", stop);
  try {
    await client.connect(transport, { signal, timeout: openTimeoutMs });
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return { client, transport, hasSession: client.getProtocolEra() === "legacy" };
}

type Connected = Awaited<ReturnType<typeof connect>>;

async function listTools({ client, hasSession }: Connected, signal: AbortSignal): Promise<ListedTools> {
  const tools: McpTool[] = [];
  const leftOut: string[] = [];
  const outputSchemas = new Map<string, JsonSchema>();
  if (client.getServerCapabilities()?.tools === undefined) return { tools, leftOut, outputSchemas };
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && tools.length < mostTools; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await client.request({ method: "tools/list", params }, toolPage, { signal, timeout: openTimeoutMs });
    for (const raw of listed.tools) {
      const known = listedTool.safeParse(raw);
      // Only versions without sessions know headers of tools.
      if (!known.success || (!hasSession && declaredHeaders(known.data.inputSchema) === undefined)) {
        leftOut.push(nameIn(raw));
        continue;
      }
      const { name, description, inputSchema, outputSchema, annotations, _meta } = known.data;
      const mark = annotations?.readOnlyHint === true ? { readOnly: true as const } : {};
      const app = appLink(_meta);
      tools.push({ name, description, inputSchema, ...mark, ...(app && { app }) });
      if (outputSchema) outputSchemas.set(name, outputSchema);
    }
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  return { tools: tools.slice(0, mostTools), leftOut: leftOut.slice(0, mostTools), outputSchemas };
}

/** What people are told of a tool that cannot be read. */
function nameIn(raw: unknown): string {
  const name = typeof raw === "object" && raw !== null && "name" in raw ? raw.name : undefined;
  return typeof name === "string" && name.trim() !== "" ? stripHidden(name).slice(0, 100) : "(without a name)";
}

async function end({ client, transport }: Connected): Promise<void> {
  await transport.terminateSession().catch(() => {});
  await client.close().catch(() => {});
}

/** Opens a session and lists its tools. Bytes in answers become `files` where these can be kept. Throws a RunError when that fails, the signal's reason when it aborts. */
export async function openMcpSession(
  host: Host,
  connection: McpConnection,
  signal: AbortSignal,
  files?: RunFiles,
): Promise<McpSession> {
  const calls = new CallsUnderWay();
  let connected: Connected | undefined;
  try {
    connected = await connect(host, connection, calls, signal);
    const listed = await listTools(connected, signal);
    return sessionOf({ host, connection, calls, first: connected, listed, files });
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
  over: Connected,
  request: {
    signal: AbortSignal;
    timeout: number;
    headers: Record<string, string>;
    onprogress(news: ProgressNews): void;
  },
) => Promise<ToolResult>;

interface SessionParts {
  host: Host;
  connection: McpConnection;
  calls: CallsUnderWay;
  first: Connected;
  listed: ListedTools;
  files: RunFiles | undefined;
}

function sessionOf({ host, connection, calls, first, listed, files }: SessionParts): McpSession {
  const { tools, leftOut, outputSchemas } = listed;
  let open = Promise.resolve(first);
  const version = first.client.getServerVersion();

  /** Does the work; where the server forgot the session meanwhile, once more over a new one. */
  async function overSession<Value>(signal: AbortSignal, work: (over: Connected) => Promise<Value>): Promise<Value> {
    const used = open;
    let hasSession = true;
    try {
      const over = await used;
      ({ hasSession } = over);
      return await work(over);
    } catch (error) {
      if (!isSessionGone(error)) throw error;
      // Where no session can be gone, the work may have been done: it is not done twice.
      if (!hasSession) throw new RunError(refusedMidway(error));
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
    const { name, end } = calls.begin(options);
    try {
      return await overSession(options.signal, async (over) => {
        const { transport, hasSession } = over;
        if (hasSession) await calls.openNews(host, (from) => transport.resumeStream(from));
        return await ask(over, {
          signal: options.signal,
          timeout: noTimeout,
          headers: { [callHeader]: name },
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

  const keeper = ({ signal }: McpCallOptions): KeepFile | undefined =>
    files?.canKeep ? (name, mediaType, bytes) => files.create(name, mediaType, bytes, { signal }) : undefined;
  const schemaOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema ?? {};
  const apps = new Map<string, Promise<AppDocument>>();
  const capabilities = first.client.getServerCapabilities();
  const has = { resources: capabilities?.resources !== undefined, prompts: capabilities?.prompts !== undefined };

  return {
    server: { name: version?.name ?? "", version: version?.version ?? "" },
    has,
    tools,
    leftOut,
    call: (name, input, options, onResult) =>
      perform(options, async ({ client, hasSession }, request) => {
        const params = { name, arguments: markedArguments(input, schemaOf(name)) };
        const headers = hasSession ? {} : paramHeaders(declaredHeaders(schemaOf(name)) ?? [], input);
        const result = await client.request({ method: "tools/call", params }, anyResult, {
          ...request,
          headers: { ...headers, ...request.headers },
        });
        if (onResult && isJsonObject(result)) onResult(result);
        const promised = outputSchemas.get(name);
        return mapResult(promised ? await asPromised(result, promised, host, options) : result, keeper(options));
      }),
    async readApp(uri, signal) {
      const request = { signal, timeout: openTimeoutMs };
      const reading =
        apps.get(uri) ??
        overSession(signal, async ({ client }) => readAppDocument(await client.readResource({ uri }, request), uri));
      apps.set(uri, reading);
      try {
        return await reading;
      } catch (error) {
        apps.delete(uri);
        signal.throwIfAborted();
        throw error instanceof RunError ? error : new RunError(mcpFailure(error));
      }
    },
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
      return await perform(options, async ({ client }, request) =>
        mapResource(await client.readResource({ uri }, request), keeper(options)),
      );
    },
    async getPrompt(name, values, options) {
      if (!has.prompts) return notOffered("prompts");
      const params = { name, arguments: values };
      return await perform(options, async ({ client }, request) =>
        mapPrompt(await client.getPrompt(params, request), keeper(options)),
      );
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
