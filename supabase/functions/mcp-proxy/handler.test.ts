import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AskedForm, ToolProgress } from "../../../src/engine/tool/tool.ts";
import type { McpConnection } from "../../../src/engine/host.ts";
import { quietCall } from "../../../src/engine/testing/quiet-call.ts";
import { testHost } from "../../../src/engine/testing/test-host.ts";
import { createMcpFetch } from "../../../src/host/mcp-fetch.ts";
import { openMcpSession, type McpSession } from "../../../src/nodes/tools/mcp/mcp-session.ts";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../../local/testing/shared-stack.ts";
import { callFunction, saveTestCredential } from "../_shared/testing/call-function.ts";
import { headerGate, startReferenceServer, type ReferenceServer } from "../_shared/testing/reference-mcp-server.ts";

const secret = "test-key-mcp-0123456789-abcdef";

let stack: SharedStack;
let user: SignedIn;
let server: ReferenceServer;
let credential: string;
let session: McpSession;

const signal = () => new AbortController().signal;
const call = (name: string, input: Record<string, string | number | boolean> = {}) =>
  session.call(name, input, quietCall(signal()));

/** The client of the engine, over the browser's way out, as this user. */
function open(connection: Partial<McpConnection>): Promise<McpSession> {
  const mcpFetch = createMcpFetch({
    functionsUrl: `${stack.url}/functions/v1`,
    publishableKey: stack.key,
    accessToken: () => Promise.resolve(user.accessToken),
  });
  return openMcpSession(testHost({ mcpFetch }), { url: "", credential: "", ...connection }, signal());
}

beforeAll(async () => {
  [server, stack] = await Promise.all([
    startReferenceServer(headerGate("authorization", `Bearer ${secret}`)),
    sharedTestStack(),
  ]);
  user = await signUp(stack);
  const fields = { url: server.url, headers: { Authorization: `Bearer ${secret}` } };
  credential = await saveTestCredential(stack, user.accessToken, { type: "mcp", fields });
  session = await open({ credential });
});

afterAll(async () => {
  await session.close();
  await server.stop();
});

describe("mcp-proxy with the protocol's reference server", () => {
  test("opens a session with the stored header and lists the tools", async () => {
    expect(session.server.name).toContain("everything");
    expect(session.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["echo", "get-sum", "get-tiny-image", "get-structured-content"]),
    );
    const echo = session.tools.find(({ name }) => name === "echo");
    expect(echo?.inputSchema).toMatchObject({ type: "object", properties: { message: { type: "string" } } });
  });

  test("passes the protocol's headers on, and none of the caller's own", () => {
    for (const { headers } of server.seen) {
      expect(headers.authorization).toBe(`Bearer ${secret}`);
      expect(JSON.stringify(headers)).not.toMatch(/switchyard|apikey|cookie/);
      expect(JSON.stringify(headers)).not.toContain(user.accessToken);
    }
    expect(server.seen.some(({ headers }) => headers["mcp-session-id"] !== undefined)).toBe(true);
  });

  test("gives text, numbers, pictures, structured content and resources", async () => {
    expect(await call("echo", { message: "hello" })).toEqual({ ok: true, output: "Echo: hello" });
    expect(await call("get-sum", { a: 2, b: 3 })).toMatchObject({ output: expect.stringContaining("5") });
    const picture = await call("get-tiny-image");
    expect(picture).toMatchObject({
      ok: true,
      text: expect.stringContaining("image/png"),
      output: expect.arrayContaining([expect.objectContaining({ type: "image", mimeType: "image/png" })]),
    });
    const weather = await call("get-structured-content", { location: "Chicago" });
    expect(weather).toMatchObject({ ok: true, output: { temperature: expect.any(Number) } });
    const resource = await call("get-resource-reference", { resourceType: "Text", resourceId: 1 });
    expect(JSON.stringify(resource)).toContain('"type":"resource"');
  });

  test("gives the server's error for wrong arguments and for a tool that is not there", async () => {
    expect(await call("get-sum", { a: "x" })).toMatchObject({ ok: false, error: { code: "tool_error" } });
    expect(await call("no-such-tool")).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("no-such-tool") },
    });
  });

  test("takes up a stream that broke off where it ended", async () => {
    server.cutNextCall();
    const before = server.seen.length;
    const result = await call("trigger-long-running-operation", { duration: 0.6, steps: 1 });
    expect(result).toMatchObject({ ok: true, output: expect.stringContaining("completed") });
    const resumed = server.seen.slice(before).filter(({ headers }) => headers["last-event-id"] !== undefined);
    expect(resumed).toMatchObject([{ method: "GET" }]);
    expect(server.seen.slice(before).filter(({ method }) => method === "POST").length).toBe(1);
  });

  test("S56 a call that is stopped ends the request to the server", async () => {
    const controller = new AbortController();
    const input = { duration: 15, steps: 15 };
    const running = session.call("trigger-long-running-operation", input, quietCall(controller.signal));
    await expect.poll(() => server.open()).toBeGreaterThan(0);
    controller.abort();
    expect(await running).toMatchObject({ ok: false });
    expect(await call("echo", { message: "still there" })).toMatchObject({ ok: true });
  });

  test("tells how far a call is", async () => {
    const told: ToolProgress[] = [];
    const tellProgress = (progress: ToolProgress) => void told.push(progress);
    const input = { duration: 0.2, steps: 2 };
    await session.call("trigger-long-running-operation", input, quietCall(signal(), { tellProgress }));
    expect(told).toMatchObject([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
  });

  test("asks what the server wants to know, and sends the answer back", async () => {
    const asked: AskedForm[] = [];
    const other = await open({ credential });
    const ask = (form: AskedForm) => {
      asked.push(form);
      return Promise.resolve({ action: "accept" as const, content: { name: "Ada", check: true } });
    };
    const result = await other.call("trigger-elicitation-request", {}, quietCall(signal(), { ask }));
    expect(asked).toMatchObject([{ schema: { type: "object", properties: { name: { type: "string" } } } }]);
    expect(JSON.stringify(result)).toContain("Ada");
    expect(JSON.stringify(await other.call("trigger-elicitation-request", {}, quietCall(signal())))).toContain(
      "declined",
    );
    await other.close();
  });

  test("lists resources, templates and prompts, and reads them", async () => {
    const { resources, templates, prompts } = await session.listOffers(signal());
    expect(resources).toContainEqual(expect.objectContaining({ name: "architecture.md", mimeType: "text/markdown" }));
    expect(templates).toContainEqual(
      expect.objectContaining({ uriTemplate: "demo://resource/dynamic/text/{resourceId}" }),
    );
    expect(prompts.find(({ name }) => name === "args-prompt")?.arguments).toMatchObject([
      { name: "city", required: true },
      { name: "state", required: false },
    ]);
    const quiet = quietCall(signal());
    const architecture = resources.find(({ name }) => name === "architecture.md")?.uri ?? "";
    expect(await session.readResource(architecture, quiet)).toMatchObject({
      ok: true,
      output: expect.stringContaining("Architecture"),
    });
    const text = await session.readResource("demo://resource/dynamic/text/7", quiet);
    expect(text).toMatchObject({ ok: true, output: expect.stringContaining("Resource 7") });
    const blob = await session.readResource("demo://resource/dynamic/blob/7", quiet);
    expect(blob).toMatchObject({ ok: true, output: expect.stringContaining("Resource 7") });
    expect(await session.getPrompt("args-prompt", { city: "Trier" }, quiet)).toEqual({
      ok: true,
      output: "What's weather in Trier?",
    });
    const resourcePrompt = { resourceType: "Text", resourceId: "3" };
    expect(await session.getPrompt("resource-prompt", resourcePrompt, quiet)).toMatchObject({
      ok: true,
      text: expect.stringContaining("Resource 3"),
    });
    const gone = await session.readResource("demo://resource/static/document/gone.md", quiet);
    expect(gone).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("gone.md"), hint: expect.any(String) },
    });
    expect(await session.getPrompt("args-prompt", {}, quiet)).toMatchObject({ ok: false });
  });

  test("opens a session anew that the server has forgotten", async () => {
    const other = await open({ credential });
    const id = server.seen.findLast(({ headers }) => headers["mcp-session-id"] !== undefined)?.headers[
      "mcp-session-id"
    ];
    const authorization = `Bearer ${secret}`;
    await fetch(server.url, { method: "DELETE", headers: { authorization, "mcp-session-id": String(id) } });
    expect(await other.call("echo", { message: "again" }, quietCall(signal()))).toEqual({
      ok: true,
      output: "Echo: again",
    });
    await other.close();
  });

  test("works with a bearer credential and the node's URL", async () => {
    const draft = { type: "http-bearer", fields: { token: secret }, allowedHosts: [server.host] };
    const bearer = await saveTestCredential(stack, user.accessToken, draft);
    const other = await open({ url: server.url, credential: bearer });
    expect(other.tools.length).toBeGreaterThan(5);
    await other.close();
  });

  test("tests a credential by opening a session", async () => {
    const answer = await callFunction(stack, "credentials", user.accessToken, { action: "test", id: credential });
    expect(answer.json).toMatchObject({ ok: true });
    const wrong = await saveTestCredential(stack, user.accessToken, { type: "mcp", fields: { url: server.url } });
    const refused = await callFunction(stack, "credentials", user.accessToken, { action: "test", id: wrong });
    expect(refused.json).toMatchObject({ ok: false, message: expect.stringContaining("401") });
  });
});

describe("mcp-proxy refuses", () => {
  test("S1 a private address without a credential that names it", async () => {
    const before = server.seen.length;
    await expect(open({ url: server.url })).rejects.toMatchObject({
      data: { code: "blocked_address", hint: expect.stringContaining("a credential: make one of type MCP server") },
    });
    expect(server.seen.length).toBe(before);
  });

  test("S44 another server with this server's credential", async () => {
    const before = server.seen.length;
    const url = server.url.replace("/mcp", "/other");
    await expect(open({ url, credential })).rejects.toMatchObject({ data: { code: "invalid_credentials" } });
    const bearer = { type: "http-bearer", fields: { token: secret }, allowedHosts: ["mcp.example.com"] };
    const id = await saveTestCredential(stack, user.accessToken, bearer);
    await expect(open({ url: server.url, credential: id })).rejects.toMatchObject({
      data: { code: "invalid_credentials" },
    });
    expect(server.seen.length).toBe(before);
  });

  test("S40 a credential of somebody else", async () => {
    const mine = user;
    user = await signUp(stack);
    await expect(open({ credential })).rejects.toMatchObject({ data: { code: "invalid_credentials" } });
    user = mine;
  });

  test("a model credential, and a call that names no server", async () => {
    const fields = { apiKey: secret };
    const model = await saveTestCredential(stack, user.accessToken, { type: "openai", fields });
    await expect(open({ credential: model })).rejects.toMatchObject({ data: { code: "invalid_credentials" } });
    await expect(open({})).rejects.toMatchObject({ data: { code: "invalid_config" } });
  });

  test("S50 anything but http: no program can be started", async () => {
    for (const url of ["stdio:npx", "file:///bin/sh", "node server.js"])
      await expect(open({ url })).rejects.toMatchObject({ data: { message: expect.any(String) } });
  });

  test("S43 the secret comes back in no answer", async () => {
    const echoed = await call("echo", { message: `my key is ${secret}` });
    expect(JSON.stringify(echoed)).not.toContain(secret);
    expect(JSON.stringify(echoed)).toContain("[redacted]");
  });
});
