import { describe, expect, it } from "vitest";
import { quietCall } from "../../../engine/testing/quiet-call.ts";
import { realSleep } from "../../../engine/testing/real-sleep.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import { openMcpSession } from "./mcp-session.ts";
import { reviewTools } from "./review-tools.ts";

interface Message {
  id?: number | string;
  method: string;
  params?: { cursor?: string; [name: string]: unknown };
}

/** What a server does instead of what it should, by the method that it is asked for. */
type Twist = Record<string, (message: Message, count: number) => object | Response>;

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more });

const honest: Twist = {
  initialize: () => ({
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "odd", version: "1" },
  }),
  "tools/list": () => ({ tools: [tool("one")] }),
  "tools/call": () => ({ content: [{ type: "text", text: "done" }] }),
};

const events = (...lines: string[]) =>
  new Response(lines.join("\n"), { headers: { "content-type": "text/event-stream" } });
const event = (message: object, more = "") => `${more}data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;

/** A server behind a fetch that answers in JSON. `asked` is what came, `GET` among it. */
function odd(twist: Twist, sessionId = "session") {
  const asked: string[] = [];
  const sent: Message[] = [];
  const answers = { ...honest, ...twist };
  const mcpFetch = async (_connection: unknown, init: RequestInit): Promise<Response> => {
    const message: Message = typeof init.body === "string" ? JSON.parse(init.body) : { method: init.method ?? "GET" };
    asked.push(message.method);
    sent.push(message);
    const answer = answers[message.method ?? "answer"]?.(message, asked.filter((one) => one === message.method).length);
    if (answer instanceof Response) return answer;
    if (message.id === undefined) return new Response(null, { status: message.method === "GET" ? 405 : 202 });
    const body = answer === undefined ? { error: { code: -32_601, message: "Not known." } } : { result: answer };
    return new Response(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...body }), {
      headers: { "content-type": "application/json", "mcp-session-id": sessionId },
    });
  };
  const host = { ...testHost({ mcpFetch }), sleep: realSleep };
  const { signal } = new AbortController();
  return { asked, sent, open: () => openMcpSession(host, { url: "https://odd.test/mcp", credential: "" }, signal) };
}

const review = (tools: Parameters<typeof reviewTools>[0]) =>
  reviewTools(tools, { serverName: "odd", include: [], exclude: [], pins: {} });

const deep = (levels: number) => {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { properties: { a: schema } };
  return schema;
};
const raw = (text: string) => (message: Message) =>
  new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${text}}`, {
    headers: { "content-type": "application/json" },
  });
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("a server with odd tools", () => {
  it("offers all that can be read, and names the rest", async () => {
    const server = odd({
      "tools/list": () => ({
        tools: [
          tool("plain"),
          tool("loose", { inputSchema: { type: "object", properties: { f: true } } }),
          { name: "bare" },
          tool("text", { inputSchema: { type: "string" } }),
          tool("choice", { inputSchema: { anyOf: [{ type: "object", properties: { a: {} } }] } }),
          tool("mute", { description: null }),
          tool("noted", { annotations: "none", outputSchema: "none", _meta: 1 }),
          tool("__proto__"),
          { inputSchema: { type: "object" } },
          7,
        ],
      }),
    });
    const session = await server.open();
    expect(session.tools.map(({ name }) => name)).toEqual([
      "plain",
      "loose",
      "bare",
      "text",
      "choice",
      "mute",
      "noted",
    ]);
    expect(session.leftOut).toEqual(["__proto__", "(without a name)", "(without a name)"]);
    for (const { name } of session.tools)
      expect(await session.call(name, {}, quietCall(new AbortController().signal))).toEqual({
        ok: true,
        output: "done",
      });
  });

  it("is heard by its text where its result is not what it promised", async () => {
    const outputSchema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
    const results: Record<string, object> = {
      kept: { content: [{ type: "text", text: "one" }], structuredContent: { count: 1 } },
      broken: { content: [{ type: "text", text: "two" }], structuredContent: { count: "two" } },
      missing: { content: [{ type: "text", text: "three" }] },
      silent: { content: [], structuredContent: { count: "four" } },
      unknown: {
        content: [
          { type: "text", text: "five" },
          { type: "smell", data: "rose" },
        ],
      },
    };
    const server = odd({
      "tools/list": () => ({ tools: Object.keys(results).map((name) => tool(name, { outputSchema })) }),
      "tools/call": ({ params }) => results[String(params?.["name"])] ?? {},
    });
    const session = await server.open();
    const logged: string[] = [];
    const { signal } = new AbortController();
    const call = (name: string) =>
      session.call(name, {}, quietCall(signal, { log: (line) => void logged.push(`${name}: ${line}`) }));
    expect(await call("kept")).toEqual({ ok: true, output: { count: 1 } });
    expect(logged).toEqual([]);
    expect(await call("broken")).toEqual({ ok: true, output: "two" });
    expect(await call("missing")).toEqual({ ok: true, output: "three" });
    expect(await call("silent")).toEqual({ ok: true, output: { count: "four" } });
    expect(await call("unknown")).toMatchObject({ ok: true });
    expect(logged.map((line) => line.slice(0, line.indexOf(":")))).toEqual(["broken", "missing", "silent", "unknown"]);
  });
});

describe("a server whose answers have another form", () => {
  it.each<[string, object, object]>([
    ["content without a list", { content: { type: "text", text: "a" } }, { ok: true, output: "a" }],
    ["content as a text", { content: "a" }, { ok: true, output: "a" }],
    ["no content", { content: null }, { ok: true, output: "" }],
    ["a list as data", { structuredContent: [1, 2], content: [] }, { ok: true, output: [1, 2] }],
    ["no data", { structuredContent: null, content: "a" }, { ok: true, output: "a" }],
    ["an error that is no boolean", { isError: "true", content: "bad" }, { ok: false, error: { message: "bad" } }],
    ["no error that is no boolean", { isError: "false", content: "a" }, { ok: true, output: "a" }],
  ])("is understood: %s", async (_case, answer, result) => {
    const session = await odd({ "tools/call": () => answer }).open();
    expect(await session.call("one", {}, quietCall(new AbortController().signal))).toMatchObject(result);
  });

  it("is said in words where nothing can be made of them", async () => {
    const words = { message: expect.stringContaining("not an MCP message") };
    const session = await odd({ "tools/call": raw("[1]") }).open();
    const result = await session.call("one", {}, quietCall(new AbortController().signal));
    expect(result).toMatchObject({ ok: false, error: words });
    const server = odd({ initialize: () => ({ protocolVersion: "2025-06-18", capabilities: null }) });
    await expect(server.open()).rejects.toMatchObject({ data: words });
  });
});

describe("S64 an MCP server that lists what it should not", () => {
  const lists: Record<string, Twist["tools/list"]> = {
    "five thousand tools": () => ({ tools: Array.from({ length: 5_000 }, (_, at) => tool(`t${at}`)) }),
    "the same page for ever": () => ({ tools: [tool("one")], nextCursor: "again" }),
    "a page of its own for ever": (_message, count) => ({ tools: [tool(`t${count}`)], nextCursor: `c${count}` }),
    "one name a thousand times": () => ({ tools: Array.from({ length: 1_000 }, () => tool("one")) }),
    "names that come to one": () => ({ tools: Array.from({ length: 1_000 }, (_, at) => tool("é".repeat(at + 1))) }),
    "names of control characters": () => ({ tools: [tool("\u0000\u001b[2J"), tool("a\r\nb"), tool("\u202e\u200b")] }),
    "names of prototypes": () => ({ tools: [tool("__proto__"), tool("constructor"), tool("toString")] }),
    "a name without end": () => ({ tools: [tool("n".repeat(1_000_000))] }),
    "a description without end": () => ({ tools: [tool("one", { description: "d".repeat(5_000_000) })] }),
    "a schema ten thousand deep": raw(
      `{"tools":[{"name":"one","inputSchema":{"type":"object","x":${nested(10_000)}}}]}`,
    ),
    "a schema a hundred deep": () => ({ tools: [tool("one", { inputSchema: { type: "object", ...deep(100) } })] }),
    "a schema of prototypes": raw(
      '{"tools":[{"name":"one","inputSchema":{"type":"object","__proto__":{"polluted":1}}}]}',
    ),
    "a schema that is a list": () => ({ tools: [{ name: "one", inputSchema: [1] }] }),
    "an output schema that runs away": () => ({
      tools: [
        tool("one", { outputSchema: { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } } }),
      ],
    }),
    "tools that are none": () => ({ tools: [null, 1, "x", [], {}] }),
    "no list": () => ({}),
  };

  it.each(Object.entries(lists))("%s", async (_case, list) => {
    const server = odd(list ? { "tools/list": list } : {});
    const session = await server.open().catch((error: Error) => error);
    expect(server.asked.filter((method) => method === "tools/list").length).toBeLessThanOrEqual(50);
    if (session instanceof Error) {
      expect(session.message).toMatch(/MCP server/);
      return;
    }
    expect(session.tools.length).toBeLessThanOrEqual(1_000);
    const offered = review(session.tools);
    expect(new Set(offered.map(({ offeredName }) => offeredName)).size).toBe(offered.length);
    for (const { offeredName, parameters } of offered) {
      expect(offeredName).toMatch(/^odd__[A-Za-z0-9_-]{1,59}$/);
      expect(parameters.type).toBe("object");
    }
    expect({}).not.toHaveProperty("polluted");
    await session.close();
  });
});

describe("S64 an MCP server that answers a call as it should not", () => {
  const big = "x".repeat(4_000_000);
  const calls: Record<string, Twist> = {
    "with four megabytes": { "tools/call": () => ({ content: [{ type: "text", text: big }] }) },
    "with thirty thousand parts": {
      "tools/call": () => ({ content: Array.from({ length: 30_000 }, () => ({ type: "text", text: "x" })) }),
    },
    "with one event of four megabytes in small pieces": {
      "tools/call": (message) => {
        const bytes = new TextEncoder().encode(
          event({ id: message.id, result: { content: [{ type: "text", text: big }] } }),
        );
        let at = 0;
        return new Response(
          new ReadableStream({
            pull(controller) {
              controller.enqueue(bytes.subarray(at, (at += 16_384)));
              if (at >= bytes.length) controller.close();
            },
          }),
          { headers: { "content-type": "text/event-stream" } },
        );
      },
    },
    "for another call": {
      "tools/call": (message) => events(event({ id: 999_999, result: {} }), event({ id: message.id, result: {} })),
    },
    twice: {
      "tools/call": (message) =>
        events(
          event({ id: message.id, result: { content: [] } }),
          event({ id: message.id, result: { content: [{ type: "text", text: "second" }] } }),
        ),
    },
    "and asks for a sample, for roots and for what nobody knows": {
      "tools/call": (message) =>
        events(
          event({ id: 1, method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } }),
          event({ id: 2, method: "roots/list" }),
          event({ id: 3, method: "secrets/list" }),
          event({ id: message.id, result: { content: [] } }),
        ),
    },
    "after twenty thousand notices": {
      "tools/call": (message) =>
        events(
          event({ method: "notifications/tools/list_changed" }).repeat(10_000),
          event({ method: "notifications/message", params: { level: "error", data: "x" } }).repeat(10_000),
          event({ id: message.id, result: { content: [] } }),
        ),
    },
    "with JSON a hundred thousand deep": { "tools/call": raw(`{"content":[],"structuredContent":${nested(100_000)}}`) },
    "with prototypes": { "tools/call": raw('{"content":[],"structuredContent":{"__proto__":{"polluted":1}}}') },
    "with no JSON": {
      "tools/call": () => new Response("<html>", { headers: { "content-type": "application/json" } }),
    },
    "with another media type": {
      "tools/call": () => new Response("hello", { headers: { "content-type": "text/html" } }),
    },
    "with a session that is gone each time": { "tools/call": () => new Response("gone", { status: 404 }) },
  };

  /** What becomes of a call that is not answered as it should be. */
  const failures: Record<string, RegExp> = {
    "after twenty thousand notices": /more than 10000 messages/,
    "with JSON a hundred thousand deep": /MCP server failed/,
    "with no JSON": /MCP server failed/,
    "with another media type": /content type/i,
    "with a session that is gone each time": /no MCP server at this address/,
  };

  it.each(Object.entries(calls))("%s", async (name, twist) => {
    const server = odd(twist);
    const session = await server.open();
    const result = await session.call("one", {}, quietCall(new AbortController().signal, {}));
    const failure = failures[name];
    if (failure === undefined) expect(result).toMatchObject({ ok: true });
    else expect(result).toMatchObject({ ok: false, error: { message: expect.stringMatching(failure) } });
    expect({}).not.toHaveProperty("polluted");
    // A session is opened twice at most, and of what the server asks for it is told nothing.
    expect(server.asked.filter((method) => method === "initialize").length).toBeLessThanOrEqual(2);
    expect(server.sent.filter((message) => message.method === undefined && !("error" in message))).toEqual([]);
    await session.close();
  });

  it("with a stream that ends at once, again and again", async () => {
    const server = odd({
      "tools/call": () => events("retry: 0\nid: 1\ndata:\n\n"),
      GET: () => events("retry: 0\nid: 1\ndata:\n\n"),
    });
    const session = await server.open();
    const result = await session.call("one", {}, quietCall(AbortSignal.timeout(400), {}));
    expect(result.ok).toBe(false);
    expect(server.asked.filter((method) => method === "GET").length).toBeLessThan(4);
    await session.close();
  });
});
