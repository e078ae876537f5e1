import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { AskedForm, ToolProgress } from "../src/engine/tool/tool.ts";
import { quietCall } from "../src/engine/testing/quiet-call.ts";
import { testHost } from "../src/engine/testing/test-host.ts";
import { type McpSession, openMcpSession } from "../src/nodes/tools/mcp/mcp-session.ts";
import { createMcpFetch } from "./headless/mcp-fetch.ts";

const script = fileURLToPath(new URL("mcp-bridge.mjs", import.meta.url));
const oddServer = fileURLToPath(new URL("mcp-bridge/testing/odd-server.mjs", import.meta.url));
const everything = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json")),
  "dist/index.js",
);
const running: ChildProcess[] = [];

interface Bridge {
  url: string;
  token: string;
  child: ChildProcess;
  stderr(): string;
}

function start(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...environment } });
  running.push(child);
  const written = { stdout: "", stderr: "" };
  child.stdout.on("data", (data: Buffer) => (written.stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (written.stderr += data.toString()));
  return { child, written };
}

/** What the command says and ends with. */
async function outcome(...args: string[]) {
  const { child, written } = start(args);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...written };
}

async function bridge(server: readonly string[], environment: Record<string, string> = {}): Promise<Bridge> {
  const { child, written } = start([process.execPath, ...server], environment);
  while (!written.stdout.includes("ends the bridge")) await once(child.stdout, "data");
  const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(written.stdout)?.[0] ?? "";
  const token = /Bearer (\S+)/.exec(written.stdout)?.[1] ?? "";
  return { url, token, child, stderr: () => written.stderr };
}

/** The engine's client, through the proxy that the studio and the command line share. */
function open({ url, token }: Bridge): Promise<McpSession> {
  const fields = { url, headers: { Authorization: `Bearer ${token}` } };
  const credentials = {
    get: () => ({ credential: { type: "mcp" as const, fields }, allowedHosts: [new URL(url).host] }),
    secrets: [],
  };
  const mcpFetch = createMcpFetch(credentials, { allowHosts: [] });
  return openMcpSession(testHost({ mcpFetch }), { url: "", credential: "bridge" }, new AbortController().signal);
}

/** The reference client. */
async function connect({ url, token }: Bridge): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

afterAll(async () => {
  const open = running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  await Promise.all(open.map((child) => child.kill("SIGTERM") && once(child, "close")));
});

describe("the protocol's reference server, which speaks stdio, through the bridge", async () => {
  const reference = await bridge([everything, "stdio"]);

  test("serves several sessions of the studio's own client at once", async () => {
    const sessions = await Promise.all([open(reference), open(reference), open(reference)]);
    expect(sessions[0]?.server.name).toContain("everything");
    const results = await Promise.all(
      sessions.map((session, index) =>
        session.call("echo", { message: `call ${index}` }, quietCall(new AbortController().signal)),
      ),
    );
    expect(results).toEqual([0, 1, 2].map((index) => ({ ok: true, output: `Echo: call ${index}` })));
    await Promise.all(sessions.map((session) => session.close()));
  });

  test("passes progress, and what a server asks during a call", async () => {
    const session = await open(reference);
    const told: ToolProgress[] = [];
    const asked: AskedForm[] = [];
    const call = quietCall(new AbortController().signal, {
      tellProgress: (progress) => told.push(progress),
      ask: (form) => {
        asked.push(form);
        return Promise.resolve({ action: "accept", content: { name: "Ada" } });
      },
    });
    const calls = [
      session.call("trigger-long-running-operation", { duration: 0.4, steps: 2 }, call),
      session.call("trigger-elicitation-request", {}, call),
    ];
    for (const result of await Promise.all(calls)) expect(result).toMatchObject({ ok: true });
    expect(told).toMatchObject([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
    expect(asked).toHaveLength(1);
    await session.close();
  });
});

describe("a server of one's own", async () => {
  const odd = await bridge([oddServer], {
    TEST_OF_OPERATOR: "yes",
    INIT_CWD: tmpdir(),
    npm_lifecycle_event: "mcp-bridge",
  });
  const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? "";

  test("runs in the operator's folder, with their environment, and its standard error is shown", async () => {
    const client = await connect(odd);
    expect(client.getServerVersion()).toEqual({ name: "odd", version: "1.2.3" });
    const heard: unknown = JSON.parse(textOf(await client.callTool({ name: "heard" })));
    expect(heard).toMatchObject({ directory: tmpdir(), ofOperator: "yes" });
    expect(odd.stderr()).toContain("odd server: ready");
    await client.close();
  });

  test("hears of cancelled calls, and is heard when its tools change", async () => {
    const client = await connect(odd);
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    const cancelled = new AbortController();
    const waiting = client.callTool({ name: "wait" }, undefined, { signal: cancelled.signal });
    cancelled.abort();
    await expect(waiting).rejects.toThrow("abort");
    await expect
      .poll(async () => textOf(await client.callTool({ name: "heard" })))
      .toContain("notifications/cancelled");
    await client.callTool({ name: "change" });
    await changed;
    await client.close();
  });

  test("a process that ends fails its calls with a reason, and the next one has a new process", async () => {
    const session = await open(odd);
    const call = (name: string) => session.call(name, {}, quietCall(new AbortController().signal));
    const [waited, ended] = await Promise.all([call("wait"), call("exit")]);
    for (const result of [waited, ended]) {
      expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining("process ended") } });
    }
    expect(await call("change")).toEqual({ ok: true, output: "changed" });
    await session.close();
  });

  test("S42 a foreign host, a web page and a request without the token start nothing", async () => {
    const { port } = new URL(odd.url);
    const own = `127.0.0.1:${port}`;
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    };
    const send = (headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const sent = httpRequest(odd.url, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        });
        sent.on("response", (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        sent.on("error", reject);
        sent.end(JSON.stringify(initialize));
      });
    const authorization = `Bearer ${odd.token}`;
    for (const host of ["evil.test", `evil.test:${port}`, "127.0.0.1:1", "localhost"]) {
      expect(await send({ host, authorization }), host).toBe(403);
    }
    for (const origin of ["https://evil.test", "null", `http://${own}`]) {
      expect(await send({ host: own, origin, authorization }), origin).toBe(403);
    }
    for (const wrong of ["", "Bearer", `Bearer ${odd.token}x`, `Basic ${odd.token}`, `Bearer ${"A".repeat(43)}`]) {
      expect(await send({ host: own, authorization: wrong }), wrong).toBe(401);
    }
    expect(odd.token).toMatch(/^[\w-]{43}$/);
    expect(await send({ host: own, authorization })).toBe(200);
    expect(await send({ host: own, authorization, "mcp-session-id": "made-up" })).toBe(404);
  });

  test("sixteen sessions can be open, and one that is idle makes room", async () => {
    const clients: Client[] = [];
    while (clients.length < 16) clients.push(await connect(odd));
    // Each has its stream of news open.
    await Promise.all(clients.map((client) => client.callTool({ name: "heard" })));
    await expect(connect(odd)).rejects.toThrow("16 sessions are open already.");
    await clients[3]?.close();
    await expect
      .poll(() =>
        connect(odd).then(
          (client) => client.close(),
          () => "full",
        ),
      )
      .not.toBe("full");
    await Promise.all(clients.map((client) => client.close()));
  });

  test("an end by hand ends its processes", async () => {
    const client = await connect(odd);
    const { pid } = JSON.parse(textOf(await client.callTool({ name: "heard" }))) as { pid: number };
    expect(process.kill(pid, 0)).toBe(true);
    odd.child.kill("SIGTERM");
    expect(await once(odd.child, "close")).toEqual([0, null]);
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    await expect(fetch(odd.url)).rejects.toThrow("fetch failed");
  });
});

describe("what cannot be bridged", () => {
  test("a command that is not there, or ends at once, is named", async () => {
    expect(await outcome("no-such-program-here")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("no-such-program-here cannot start: there is no such program."),
    });
    expect(await outcome(process.execPath, "--eval", "console.error('bad folder')")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/bad folder[^]*ended by itself before any client came/),
    });
  });

  test("arguments that mean nothing are refused, and those of the command are left alone", async () => {
    expect(await outcome()).toMatchObject({ code: 2, stderr: expect.stringContaining("No command was given.") });
    expect(await outcome("--port", "many", "npx")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--port takes no many."),
    });
    expect(await outcome("--prot", "1", "npx")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean --port?"),
    });
    const helped = await outcome(process.execPath, "--eval", "console.error(process.argv.slice(1))", "--", "--help");
    expect(helped).toMatchObject({ code: 1, stderr: expect.stringContaining("'--help'") });
  });
});
