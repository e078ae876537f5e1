import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../engine/json.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import { exactAnswer } from "./exact-messages.ts";
import { openMcpSession } from "./mcp-session.ts";

/** A call in which nobody is asked anything. */
const quiet = (signal: AbortSignal) => ({
  signal,
  ask: () => Promise.reject(new Error("Nobody is there.")),
  pausedWhile: <Value>(work: () => Promise<Value>) => work(),
  tellProgress: () => {},
  log: () => {},
});

const inputSchema = `{"type": "object", "properties": {
  "id": {"type": "integer", "maximum": 9223372036854775807},
  "text": {"type": "string"},
  "either": {"type": ["string", "integer"]},
  "list": {"type": "array", "items": {"$ref": "#/$defs/id"}}
}, "$defs": {"id": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}`;
const outputSchema = '{"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}';
const tool = `{"name": "get", "inputSchema": ${inputSchema}, "outputSchema": ${outputSchema}}`;

type Write = (message: string) => Response;

const asJson: Write = (message) => new Response(message, { headers: { "content-type": "application/json" } });

/** Server-sent events in pieces of three bytes, the data over several lines, after an event that is a mere sign of life. */
const asEvents =
  (end: string): Write =>
  (message) => {
    const data = message.replaceAll("\n", " ").replaceAll(', "', `,${end}data: "`);
    const bytes = new TextEncoder().encode(
      `: hello${end}${end}event: message${end}id: 7${end}data: ${data}${end}${end}`,
    );
    const pieces = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, at) => bytes.slice(at * 3, at * 3 + 3));
    const body = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };

async function callGet(write: Write, input: JsonObject) {
  const { signal } = new AbortController();
  let sent = "";
  const host = testHost({
    mcpFetch(_connection, init) {
      const body = String(init.body ?? "");
      if (init.method !== "POST") return Promise.resolve(new Response(null, { status: 405 }));
      const { id, method } = JSON.parse(body) as { id?: number | string; method: string };
      const result: Record<string, string> = {
        initialize:
          '{"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}',
        "tools/list": `{"tools": [${tool}]}`,
        "tools/call":
          '{"content": [], "structuredContent": {"id": 7615917337495251231, "more": [{"min": -9223372036854775808}]}}',
      };
      if (method === "tools/call") sent = body;
      const told = result[method] ? `"result": ${result[method]}` : '"error": {"code": -32601, "message": "Unknown."}';
      const answer = `{"jsonrpc": "2.0", "id": ${JSON.stringify(id)}, ${told}}`;
      return Promise.resolve(id === undefined ? new Response(null, { status: 202 }) : write(answer));
    },
  });
  const session = await openMcpSession(host, { url: "https://mcp.example.com", credential: "" }, signal);
  const answer = await session.call("get", input, quiet(signal));
  return { sent, answer, tools: session.tools };
}

describe.each<[string, Write]>([
  ["JSON", asJson],
  ["server-sent events", asEvents("\n")],
  ["server-sent events of another system", asEvents("\r\n")],
])("an MCP server that answers in %s", (_title, write) => {
  it("gives the digits of a large integer, and gets them bare where its schema takes no text", async () => {
    const large = "7615917337495251231";
    const { sent, answer } = await callGet(write, {
      id: large,
      text: large,
      either: large,
      list: [large, 5],
      other: large,
    });
    expect(answer).toEqual({ ok: true, output: { id: large, more: [{ min: "-9223372036854775808" }] } });
    expect(sent).toContain(
      `"arguments":{"id":${large},"text":"${large}","either":"${large}","list":[${large},5],"other":"${large}"}`,
    );
  });

  it("keeps the schemas that a person approved by their hash", async () => {
    const { tools } = await callGet(write, {});
    expect(tools[0]?.inputSchema).toEqual(JSON.parse(inputSchema));
  });
});

it("counts the messages of an answer, and no signs of life between them", async () => {
  const answered = async (events: string) => {
    const response = new Response(events, { headers: { "content-type": "text/event-stream" } });
    return (await exactAnswer(response, '{"id":7,"method":"tools/call"}')).text();
  };
  const alive = ": keep-alive\n\nevent: ping\n\n".repeat(10_000);
  expect(await answered(`${alive}data: {"id":7}\n\n`)).toContain('data: {"id":7}');
  expect(await answered("event: message\ndata: {}\ndata:\n\n".repeat(10_000))).not.toContain("more than 10000");
  expect(await answered("data: {}\r\n\r\n".repeat(10_001))).toContain("more than 10000 messages");
});
