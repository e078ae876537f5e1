import { createMcpHandler, inputRequired, Server } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import type { AskedForm, ToolProgress } from "../../../engine/tool/tool.ts";
import { quietCall } from "../../../engine/testing/quiet-call.ts";
import { realSleep } from "../../../engine/testing/real-sleep.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import { openMcpSession } from "./mcp-session.ts";

const never = new AbortController().signal;
const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });

/** A server that knows versions without sessions alone. */
function statelessServer(refusal?: Response) {
  let ended = 0;
  const handler = createMcpHandler(
    () => {
      const server = new Server({ name: "new", version: "4.5.6" }, { capabilities: { tools: {}, resources: {} } });
      const names = ["echo", "ask", "slow", "hang"];
      server.setRequestHandler("tools/list", () => ({
        tools: names.map((name) => ({ name, inputSchema: { type: "object" as const } })),
      }));
      server.setRequestHandler("resources/list", () => ({
        resources: [{ uri: "file:///a.txt", name: "a" }],
      }));
      server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
      server.setRequestHandler("resources/read", ({ params }) => ({
        contents: [{ uri: params.uri, mimeType: "text/plain", text: "inside" }],
      }));
      server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
        if (params.name === "ask") {
          const { answer } = mcpReq.inputResponses ?? {};
          if (answer !== undefined) return text(JSON.stringify(answer));
          const requestedSchema = { type: "object" as const, properties: { size: { type: "string" as const } } };
          return inputRequired({
            inputRequests: { answer: inputRequired.elicit({ message: "Which size?", requestedSchema }) },
          });
        }
        if (params.name === "slow") {
          const { _meta: meta } = mcpReq;
          const progressToken = meta?.progressToken ?? "";
          await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2 } });
        }
        if (params.name === "hang") {
          await new Promise<void>((resolve) => mcpReq.signal.addEventListener("abort", () => resolve()));
          ended += 1;
        }
        return text(JSON.stringify(params.arguments ?? {}));
      });
      return server;
    },
    { legacy: "reject" },
  );
  const sent: { method: string; headers: Record<string, string> }[] = [];
  let calls = 0;
  const mcpFetch = async (_connection: unknown, init: RequestInit) => {
    if (String(init.body).includes('"tools/call"')) {
      calls += 1;
      if (refusal) return refusal;
    }
    sent.push({ method: init.method ?? "GET", headers: Object.fromEntries(new Headers(init.headers)) });
    return handler.fetch(new Request("https://new.test/mcp", init));
  };
  const host = { ...testHost({ mcpFetch }), sleep: realSleep };
  return {
    sent,
    ended: () => ended,
    calls: () => calls,
    open: () => openMcpSession(host, { url: "https://new.test/mcp", credential: "" }, never),
  };
}

describe("a server without sessions (2026-07-28)", () => {
  it.each([new Response("Not found", { status: 404 }), Response.json({ error: "No such session" }, { status: 400 })])(
    "is not asked again where it refuses a call as if a session were gone",
    async (refusal) => {
      const server = statelessServer(refusal);
      const session = await server.open();
      const result = await session.call("echo", {}, quietCall(never));
      expect(result).toMatchObject({ ok: false, error: { hint: expect.stringContaining("It was not repeated") } });
      expect(server.calls()).toBe(1);
      await session.close();
    },
  );

  it("is understood: tools, arguments, progress and resources", async () => {
    const server = statelessServer();
    const session = await server.open();
    expect(session.server).toEqual({ name: "new", version: "4.5.6" });
    expect(session.tools.map(({ name }) => name)).toEqual(["echo", "ask", "slow", "hang"]);
    expect(await session.call("echo", { a: 1 }, quietCall(never))).toEqual({ ok: true, output: '{"a":1}' });
    const told: ToolProgress[] = [];
    await session.call("slow", {}, quietCall(never, { tellProgress: (progress) => told.push(progress) }));
    expect(told).toMatchObject([{ progress: 1, total: 2 }]);
    expect(await session.listOffers(never)).toMatchObject({ resources: [{ uri: "file:///a.txt" }], templates: [] });
    expect(await session.readResource("file:///a.txt", quietCall(never))).toMatchObject({
      ok: true,
      output: expect.stringContaining("inside"),
    });
    await session.close();
    expect(server.sent.map(({ method }) => method)).not.toContain("GET");
    expect(server.sent.map(({ headers }) => headers["mcp-method"])).toEqual(
      expect.arrayContaining(["server/discover", "tools/list", "tools/call", "resources/read"]),
    );
    expect(server.sent.every(({ headers }) => headers["mcp-protocol-version"] === "2026-07-28")).toBe(true);
    expect(server.sent.some(({ headers }) => "mcp-session-id" in headers)).toBe(false);
  });

  it("asks for each of several calls at once what it wants to know", async () => {
    const session = await statelessServer().open();
    const results = await Promise.all(
      ["S", "M", "L"].map((size) =>
        session.call(
          "ask",
          {},
          quietCall(never, { ask: () => Promise.resolve({ action: "accept", content: { size } }) }),
        ),
      ),
    );
    expect(results.map((result) => result.ok && JSON.parse(String(result.output)))).toEqual(
      ["S", "M", "L"].map((size) => ({ action: "accept", content: { size } })),
    );
    await session.close();
  });

  it("asks a person, and hears what they said", async () => {
    const session = await statelessServer().open();
    const asked: AskedForm[] = [];
    const result = await session.call(
      "ask",
      {},
      quietCall(never, {
        ask(form) {
          asked.push(form);
          return Promise.resolve({ action: "accept", content: { size: "L" } });
        },
      }),
    );
    expect(asked).toMatchObject([{ message: "Which size?" }]);
    expect(result).toEqual({ ok: true, output: '{"action":"accept","content":{"size":"L"}}' });
    await session.close();
  });

  it("ends a call that is cancelled", async () => {
    const server = statelessServer();
    const session = await server.open();
    const cancelled = new AbortController();
    const calling = session.call("hang", {}, quietCall(cancelled.signal));
    await expect.poll(() => server.sent.at(-1)?.headers["mcp-name"]).toBe("hang");
    cancelled.abort(new Error("Enough."));
    expect(await calling).toMatchObject({ ok: false });
    await expect.poll(server.ended).toBe(1);
    await session.close();
  });
});

describe("an older server that breaks at the question for its versions", () => {
  const json = (body: unknown) =>
    new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });
  const breaks: [string, () => Response][] = [
    ["with status 500", () => new Response("TypeError", { status: 500 })],
    ["with status 400 and no words", () => new Response(null, { status: 400 })],
    ["with what is no JSON", () => new Response("{", { headers: { "content-type": "application/json" } })],
    ["with a page", () => new Response("<p>Hello", { headers: { "content-type": "text/html" } })],
    ["with an error of its own", () => json({ jsonrpc: "2.0", id: null, error: { code: -32_000, message: "No." } })],
  ];

  it.each(breaks)("%s is greeted in the old way", async (_case, answer) => {
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: "2025-03-26",
        capabilities: { tools: {} },
        serverInfo: { name: "old", version: "1" },
      },
      "tools/list": { tools: [{ name: "one", inputSchema: { type: "object" } }] },
    };
    const mcpFetch = async (_connection: unknown, init: RequestInit) => {
      if (init.method !== "POST") return new Response(null, { status: 405 });
      const { id, method } = JSON.parse(String(init.body)) as { id?: number; method: string };
      if (method === "server/discover") return answer();
      return id === undefined
        ? new Response(null, { status: 202 })
        : json({ jsonrpc: "2.0", id, result: results[method] });
    };
    const session = await openMcpSession(testHost({ mcpFetch }), { url: "https://old.test", credential: "" }, never);
    expect(session.tools.map(({ name }) => name)).toEqual(["one"]);
    await session.close();
  });

  it("is asked once where it refuses access or cannot be reached", async () => {
    for (const status of [401, 403]) {
      let count = 0;
      const mcpFetch = () => Promise.resolve(new Response("", { status: (count += 1) && status }));
      const opening = openMcpSession(testHost({ mcpFetch }), { url: "https://old.test", credential: "" }, never);
      await expect(opening).rejects.toMatchObject({ data: { code: "invalid_credentials" } });
      expect(count).toBe(1);
    }
  });
});
