import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startJsonApi } from "../../e2e/servers/json-api.ts";
import type { LoopbackServer } from "../../e2e/servers/loopback-server.ts";
import { startOpenaiServer, type OpenaiServer } from "../../e2e/servers/openai-server.ts";
import type { Host } from "../../src/engine/host.ts";
import { userMessage } from "../../src/engine/model/message.ts";
import { openaiCompatibleProvider } from "../../src/providers/openai-compatible.ts";
import { openaiProvider } from "../../src/providers/openai.ts";
import { collect, modelRequest, summary } from "../../src/providers/testing/replay.ts";
import { parseHostList } from "../../supabase/functions/_shared/host-list.ts";
import type { HeldCredential } from "./credentials-file.ts";
import { createNodeHost } from "./node-host.ts";

let model: OpenaiServer;
let api: LoopbackServer;

beforeAll(async () => {
  [model, api] = await Promise.all([startOpenaiServer(), startJsonApi()]);
});

afterAll(async () => {
  await Promise.all([model.close(), api.close()]);
});

function createHost(options: { allowHosts?: string[]; http?: HeldCredential } = {}): Host {
  const held = new Map<string, HeldCredential>([
    [
      "model",
      {
        credential: { type: "openai", fields: { apiKey: model.key, baseUrl: model.baseUrl } },
        allowedHosts: [new URL(model.baseUrl).host],
      },
    ],
    [
      "azure",
      {
        credential: { type: "openai-compatible", fields: { apiKey: model.key, baseUrl: model.url } },
        allowedHosts: [new URL(model.url).host],
      },
    ],
    ...(options.http ? [["http", options.http] as const] : []),
  ]);
  return createNodeHost({
    credentials: { get: (id) => held.get(id), secrets: [] },
    policy: { allowHosts: parseHostList(options.allowHosts ?? []).list },
    approve: false,
    workflows: { load: () => Promise.reject(new Error("No test here loads a workflow.")) },
  });
}

function chat(host: Host, credential = "model") {
  return openaiProvider.create(
    { ...openaiProvider.config.parse({}), model: "gpt-4o-mini" },
    { host, credential, nodeId: "model" },
  );
}

const signal = new AbortController().signal;

describe("the model call of the headless host", () => {
  it("reaches a loopback server through a credential and attaches its key", async () => {
    const { text, last } = summary(await collect(await chat(createHost())));
    expect(text).toBe('You said: "Hello"');
    expect(last).toMatchObject({ type: "finish", finishReason: "stop" });
    expect(model.requests.at(-1)).toMatchObject({
      path: "/v1/responses",
      headers: { authorization: `Bearer ${model.key}` },
    });
  });

  it("says which credential is missing", async () => {
    const { last } = summary(await collect(await chat(createHost(), "elsewhere")));
    expect(last).toMatchObject({
      type: "error",
      error: { code: "invalid_credentials", retryable: false, message: expect.stringContaining("elsewhere") },
    });
  });

  it("S43 takes the key out of what the vendor echoes", async () => {
    const request = modelRequest({ messages: [userMessage("[echo key]")] });
    const { last } = summary(await collect(await chat(createHost()), request));
    expect(last).toMatchObject({ type: "error", error: { code: "invalid_credentials" } });
    expect(JSON.stringify(last)).not.toContain(model.key);
  });

  it("S52 keeps what came before the connection broke, and says that trying again may help", async () => {
    const request = modelRequest({ messages: [userMessage("[cut]")] });
    const { text, last } = summary(await collect(await chat(createHost()), request));
    expect(text).toMatch(/^This answer breaks/);
    expect(last).toMatchObject({ type: "error", error: { code: "model_error", retryable: true } });
  });

  it("reaches an Azure deployment by its path", async () => {
    const azure = openaiCompatibleProvider.create(
      {
        ...openaiCompatibleProvider.config.parse({
          preset: "azure",
          azureDeployment: "my-gpt",
          azureApiVersion: "2024-10-21",
        }),
        model: "gpt-4o",
      },
      { host: createHost(), credential: "azure", nodeId: "model" },
    );
    expect(summary(await collect(azure)).text).toBe('You said: "Hello"');
    expect(model.requests.at(-1)?.path).toBe("/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21");
  });

  it("S56 hangs up on the server when the call is cancelled", async () => {
    const controller = new AbortController();
    const request = modelRequest({ messages: [userMessage("[slow]")], signal: controller.signal });
    const events = [];
    const chatting = await chat(createHost());
    for await (const event of chatting.stream(request)) {
      events.push(event);
      controller.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: "error", error: { code: "cancelled" } });
    await expect.poll(() => model.requests.at(-1)?.aborted).toBe(true);
  });
});

describe("the HTTP tool of the headless host", () => {
  const call = (host: Host, body: Record<string, string>) => host.callFunction("execute-http", body, { signal });

  it("S1 refuses a loopback address that nobody opened", async () => {
    const before = api.requests.length;
    expect(await call(createHost(), { url: `${api.url}/weather?city=Oslo` })).toMatchObject({
      ok: true,
      body: { success: false, error: { code: "blocked_address" } },
    });
    expect(api.requests).toHaveLength(before);
  });

  it("calls an address that was opened", async () => {
    const host = createHost({ allowHosts: [new URL(api.url).host] });
    expect(await call(host, { url: `${api.url}/weather?city=Oslo` })).toMatchObject({
      ok: true,
      body: { success: true, statusCode: 200, body: expect.stringContaining("snow") },
    });
  });

  it("S44 sends a credential to its own hosts only", async () => {
    const host = createHost({
      allowHosts: [new URL(api.url).host],
      http: {
        credential: { type: "http-bearer", fields: { token: "test-key-bearer" } },
        allowedHosts: ["api.example.com"],
      },
    });
    const before = api.requests.length;
    const result = await call(host, { url: `${api.url}/echo`, credential: "http" });
    expect(JSON.stringify(result)).toContain("invalid_credentials");
    expect(api.requests).toHaveLength(before);
  });

  it("names a function that only the studio has", async () => {
    expect(await createHost().callFunction("credentials", {}, { signal })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("credentials") },
    });
  });
});

describe("MCP calls of the headless host", () => {
  const send = async (host: Host, credential: string) => {
    const response = await host.mcpFetch({ url: "", credential }, { method: "POST", body: "{}", signal });
    return { status: response.status, own: response.headers.get("x-switchyard-error"), text: await response.text() };
  };

  it("go to the credential's server with its headers, which come back redacted", async () => {
    const host = createHost({
      http: {
        credential: { type: "mcp", fields: { url: `${api.url}/echo`, headers: { "x-token": "test-key-mcp-server" } } },
        allowedHosts: [new URL(api.url).host],
      },
    });
    const { status, text } = await send(host, "http");
    expect(status).toBe(200);
    expect(api.requests.at(-1)?.headers["x-token"]).toBe("test-key-mcp-server");
    expect(text).not.toContain("test-key-mcp-server");
  });

  it("say which credential is missing", async () => {
    expect(await send(createHost(), "elsewhere")).toMatchObject({
      own: "1",
      text: expect.stringContaining("elsewhere"),
    });
  });
});

describe("the code sandbox of the headless host", () => {
  const run = (code: string, timeoutMs = 5_000, abort = signal) =>
    createHost().runCode({ code, args: { a: 2 }, timeoutMs, memoryBytes: 16_000_000 }, abort);

  it("runs code on its arguments", async () => {
    expect(await run("console.log('hi'); return a * 21;")).toEqual({ ok: true, output: 42, logs: ["hi"] });
  });

  it("S21 stops an endless loop, and at once when cancelled", async () => {
    expect(await run("while (true) {}", 100)).toMatchObject({ ok: false });
    const controller = new AbortController();
    const running = run("while (true) {}", 20_000, controller.signal);
    controller.abort(new Error("stopped"));
    await expect(running).rejects.toThrow("stopped");
  });

  it("S24 has nothing of the host inside", async () => {
    expect(await run("return [typeof process, typeof require, typeof fetch];")).toMatchObject({
      output: ["undefined", "undefined", "undefined"],
    });
  });
});

it("rejects a tool call that asks, with a reason for the model", async () => {
  const request = { nodeId: "agent", toolNodeId: "tool", toolName: "http", callId: "1", input: {}, parameters: {} };
  expect(await createHost().approve(request, signal)).toMatchObject({ approved: false });
});
