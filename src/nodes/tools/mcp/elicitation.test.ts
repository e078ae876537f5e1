import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { type ElicitRequestFormParams, ElicitResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import type { AskedForm, FormAnswer, ToolProgress } from "../../../engine/tool/tool.ts";
import { quietCall } from "../../../engine/testing/quiet-call.ts";
import { realSleep } from "../../../engine/testing/real-sleep.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import { openMcpSession } from "./mcp-session.ts";

const requestedSchema: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", default: "Ada" },
    size: {
      type: "string",
      oneOf: [
        { const: "s", title: "Small" },
        { const: "l", title: "Large" },
      ],
      default: "s",
    },
    days: { type: "array", items: { type: "string", enum: ["mon", "tue"] }, default: ["tue"] },
    sure: { type: "boolean", default: true },
    count: { type: "integer", default: 3 },
  },
  required: ["name"],
};

/** A server that asks on the stream of its call, or on that of the session, as servers do that know no better. */
async function askingServer() {
  const server = new McpServer({ name: "asks", version: "1.0.0" });
  const params: ElicitRequestFormParams = { mode: "form", message: "Which one?\u200b", requestedSchema };
  const shown = (answer: object) => ({ content: [{ type: "text" as const, text: JSON.stringify(answer) }] });
  server.registerTool("in_call", {}, async ({ sendRequest }) =>
    shown(await sendRequest({ method: "elicitation/create", params }, ElicitResultSchema)),
  );
  server.registerTool("in_session", {}, async () => shown(await server.server.elicitInput(params)));
  server.registerTool("slow", {}, async ({ sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken ?? "";
    const news = { progressToken, progress: 1, total: 2, message: "Half\u200b way" };
    await sendNotification({ method: "notifications/progress", params: news });
    return shown({});
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => "session" });
  await server.connect(transport);
  const mcpFetch = (_connection: unknown, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set("host", "asks.test");
    return transport.handleRequest(new Request("https://asks.test/mcp", { ...init, headers }));
  };
  const host = { ...testHost({ mcpFetch }), sleep: realSleep };
  const { signal } = new AbortController();
  const session = await openMcpSession(host, { url: "https://asks.test/mcp", credential: "" }, signal);
  return { session, server };
}

const never = new AbortController().signal;

async function answered(tool: string, answer: FormAnswer) {
  const { session } = await askingServer();
  const asked: { form: AskedForm; key: string }[] = [];
  let paused = 0;
  const call = quietCall(never, {
    ask(form, { key }) {
      asked.push({ form, key });
      return Promise.resolve(answer);
    },
    pausedWhile(wait) {
      paused += 1;
      return wait();
    },
  });
  const result = await session.call(tool, {}, call);
  await session.close();
  return { asked, paused, told: JSON.parse(String(result.ok && result.output)) as unknown };
}

describe("what an MCP server asks during a call", () => {
  for (const tool of ["in_call", "in_session"]) {
    it(`is asked as a form and answered (${tool})`, async () => {
      const content = { name: "Grace", size: "l", days: ["mon", "tue"], sure: false, count: 5 };
      const { asked, paused, told } = await answered(tool, { action: "accept", content });
      expect(told).toEqual({ action: "accept", content });
      expect(asked).toMatchObject([{ form: { message: "Which one?", schema: requestedSchema } }]);
      expect(asked[0]?.key).toMatch(/^[0-9a-f]{16}$/);
      expect(paused).toBe(1);
    });
  }

  it("SEP-1034 gets the defaults of what was left out", async () => {
    const { told } = await answered("in_call", { action: "accept", content: { name: "Grace" } });
    const content = { name: "Grace", size: "s", days: ["tue"], sure: true, count: 3 };
    expect(told).toEqual({ action: "accept", content });
  });

  it("is declined or cancelled as the person did", async () => {
    expect((await answered("in_call", { action: "decline" })).told).toEqual({ action: "decline" });
    expect((await answered("in_call", { action: "cancel" })).told).toEqual({ action: "cancel" });
  });

  it("gets no values that the protocol does not know", async () => {
    const content = { name: { deep: true } };
    expect((await answered("in_call", { action: "accept", content })).told).toEqual({ action: "cancel" });
  });

  /** Makes calls at once, where the person of each gives the call's own number. */
  async function together(tools: readonly string[]) {
    const { session } = await askingServer();
    const answers = await Promise.all(
      tools.map(async (tool, index) => {
        const ask = () => Promise.resolve({ action: "accept" as const, content: { name: String(index) } });
        const result = await session.call(tool, {}, quietCall(never, { ask }));
        return JSON.parse(String(result.ok && result.output)) as { action?: string; content?: { name: string } };
      }),
    );
    await session.close();
    return answers.map(({ action, content }) => (action === "accept" ? content?.name : action));
  }

  it("is asked for its own call, where several ask on their streams", async () => {
    expect(await together(["in_call", "in_call", "in_call"])).toEqual(["0", "1", "2"]);
  });

  it("is asked for no other call: it waits until the others have ended", async () => {
    expect(await together(["in_session", "slow", "slow"])).toEqual(["0", undefined, undefined]);
  });

  it("is cancelled for one of two calls that both ask where nothing says which", async () => {
    const answers = await together(["in_session", "in_session"]);
    expect(answers.filter((answer) => answer === "cancel")).toHaveLength(1);
    for (const [index, answer] of answers.entries()) expect(["cancel", String(index)]).toContain(answer);
  });

  it("reaches nobody outside of calls", async () => {
    const { session, server } = await askingServer();
    const asked = server.server.elicitInput({ mode: "form", message: "Now?", requestedSchema }, { timeout: 50 });
    await expect(asked).rejects.toThrow(/timed out/);
    await session.close();
  });
});

describe("the progress of an MCP server", () => {
  it("is passed on as it comes", async () => {
    const { session } = await askingServer();
    const told: ToolProgress[] = [];
    await session.call("slow", {}, quietCall(never, { tellProgress: (progress) => void told.push(progress) }));
    expect(told).toEqual([{ progress: 1, total: 2, text: "Half way" }]);
    await session.close();
  });
});
