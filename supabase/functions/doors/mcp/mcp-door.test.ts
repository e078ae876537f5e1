import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as newest from "@modelcontextprotocol/client";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod/mini";
import type { JsonObject } from "../../../../src/engine/json.ts";
import { studioVersion } from "../../../../src/engine/studio-version.ts";
import { buildWorkflow } from "../../../../src/engine/testing/build-workflow.ts";
import { orderOf } from "../../../../worker/testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";
import { type SignedIn, signUp } from "../../../local/testing/clients.ts";
import { makeApiKey } from "../testing/api-keys.ts";

let world: WorkerWorld;
let key: string;
let other: SignedIn;
const clients: Client[] = [];

beforeAll(async () => {
  world = await startWorkerWorld();
  await openDoor(await world.publish(world.stepAgent({ name: "steps" })), { description: "Does steps." });
  await openDoor(await world.publish(stateless("plain", { city: "Bern" })));
  await world.publish(world.stepAgent({ name: "closed" }));
  key = (await makeApiKey(world.user, ["run:*"])).key;
  other = await signUp(world.stack);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await world.stop();
});

/** Gives back what it is started with. */
const stateless = (name: string, input: JsonObject | string) =>
  buildWorkflow({ id: crypto.randomUUID(), name, nodes: { start: ["manual-trigger", { input }] }, edges: [] });

async function openDoor(workflow: string, config: JsonObject = {}, by: SignedIn = world.user, enabled = true) {
  const door = { p_workflow_id: workflow, p_kind: "mcp", p_enabled: enabled, p_config: config, p_secrets: null };
  const { error } = await by.client.rpc("studio_save_door", door);
  if (error) throw new Error(error.message);
}

/** The reference client, connected. */
async function connect(path: string, apiKey = key) {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${world.stack.url}${path}`), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  });
  await client.connect(transport);
  clients.push(client);
  return { client, session: transport.sessionId ?? "" };
}

/** Posts one message as a client does that goes its own ways. */
function post(path: string, message: unknown, headers: Record<string, string> = {}) {
  return fetch(`${world.stack.url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(message),
  });
}

const runsStarted = async () => (await world.stack.sql("select 1 from public.studio_runs where source = 'mcp'")).length;

const callOf = (message: string, id = 7) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "steps", arguments: { message } },
});

const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

const textOf = ({ content }: Record<string, unknown>) =>
  z.array(z.object({ text: z.string() })).parse(content)[0]?.text;

describe("the reference client", () => {
  test("finds one workflow at its address, and what the key may run at the studio's", async () => {
    const { client, session } = await connect("/mcp/steps");
    expect(session).not.toBe("");
    expect(client.getServerVersion()).toEqual({ name: "switchyard", version: studioVersion });
    // There is no stream of news.
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: false });
    await client.ping();
    expect((await client.listTools()).tools).toMatchObject([
      {
        name: "steps",
        title: "steps",
        description: "Does steps.",
        inputSchema: { type: "object", required: ["message"], properties: { message: { type: "string" } } },
      },
    ]);
    const all = await connect("/mcp");
    expect((await all.client.listTools()).tools.map(({ name }) => name)).toEqual(["plain", "steps"]);
    const narrow = await connect("/mcp", (await makeApiKey(world.user, ["run:plain"])).key);
    expect((await narrow.client.listTools()).tools).toMatchObject([
      { name: "plain", description: 'Runs the workflow "plain" and returns its output.' },
    ]);
  });

  test("calls a workflow, and is told what happens until the answer", async () => {
    const { client } = await connect("/mcp/steps");
    const told: { progress: number; message?: string | undefined }[] = [];
    const result = await client.callTool({ name: "steps", arguments: { message: orderOf("m", 2) } }, undefined, {
      onprogress: (progress) => told.push(progress),
    });
    expect(result).toMatchObject({ content: [{ type: "text", text: "m is done" }] });
    const { isError, _meta: meta } = result;
    expect(isError).toBeUndefined();
    const run = z.object({ "switchyard/run": z.string() }).parse(meta)["switchyard/run"];
    expect(await world.row(run)).toMatchObject({ source: "mcp", status: "completed" });
    expect(told.map(({ message }) => message)).toEqual(
      expect.arrayContaining(["Running", "Calling step", "Called step", "Writing the answer"]),
    );
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, index) => index + 1));
    const plain = await (await connect("/mcp")).client.callTool({ name: "plain", arguments: { city: "Ulm" } });
    expect(textOf(plain)).toBe('{"city":"Ulm"}');
  });

  test("S105 gets a small picture as it is, other files as links, and nothing for a file that is not the run's", async () => {
    const code = `const note = files.make("note.txt", "Made here");
      const dot = files.make("dot.png", new Uint8Array([137, 80, 78, 71]));
      return { note, dot, forged: { ...note, $file: "${crypto.randomUUID()}" } };`;
    const making = buildWorkflow({
      id: crypto.randomUUID(),
      name: "making",
      nodes: { start: ["manual-trigger"], code: ["code", { code }] },
      edges: ["start.main -> code.main"],
    });
    await openDoor(await world.publish(making));
    const { client } = await connect("/mcp/making");
    const result = await client.callTool({ name: "making", arguments: {} });
    const [text, ...files] = z.array(z.looseObject({ type: z.string() })).parse(result["content"]);
    expect(text).toMatchObject({ type: "text", text: expect.stringContaining("note.txt") });
    expect(files.toSorted((a, b) => a.type.localeCompare(b.type))).toMatchObject([
      { type: "image", mimeType: "image/png", data: "iVBORw==" },
      { type: "resource_link", name: "note.txt", mimeType: "text/plain", size: 9 },
    ]);
    const link = files.find(({ type }) => type === "resource_link")?.["uri"];
    expect(String(link).startsWith(`${world.stack.url}/`)).toBe(true);
    expect(await (await fetch(String(link))).text()).toBe("Made here");

    const old = { "mcp-protocol-version": "2025-03-26" };
    const session = (await post("/mcp/making", initialize)).headers.get("mcp-session-id") ?? "";
    const call = { jsonrpc: "2.0", id: 9, method: "tools/call", params: { name: "making", arguments: {} } };
    const answer = await (await post("/mcp/making", call, { ...old, "mcp-session-id": session })).text();
    expect(answer).not.toContain("resource_link");
    expect(answer).toContain("note.txt (text/plain): http");
  });

  test("reads a failure, arguments that do not fit and a reached limit as results with isError", async () => {
    world.servers.refused.add("bad/0");
    const { client } = await connect("/mcp/steps");
    const failed = await client.callTool({ name: "steps", arguments: { message: orderOf("bad", 1) } });
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toMatch(/refused|400|No\./);
    const before = await runsStarted();
    const unfit = await client.callTool({ name: "steps", arguments: { text: "Hello" } });
    expect([unfit.isError, textOf(unfit)]).toEqual([true, expect.stringContaining("message")]);
    await expect(client.callTool({ name: "other", arguments: {} })).rejects.toThrow("Unknown tool: other");
    expect(await runsStarted()).toBe(before);
    await openDoor(await world.publish(stateless("narrow", {}), { perMinute: 1 }));
    const limited = (await connect("/mcp/narrow")).client;
    await limited.callTool({ name: "narrow", arguments: {} });
    const second = await limited.callTool({ name: "narrow", arguments: {} });
    expect([second.isError, textOf(second)]).toEqual([true, expect.stringContaining("starts per minute")]);
  });

  test("a client that cancels ends the run", async () => {
    const { client } = await connect("/mcp/steps");
    const cancelled = new AbortController();
    const calling = client.callTool({ name: "steps", arguments: { message: orderOf("long", 45) } }, undefined, {
      signal: cancelled.signal,
      onprogress: ({ message }) => message === "Called step" && cancelled.abort(),
    });
    await expect(calling).rejects.toThrow("abort");
    const [run] = await world.stack.sql<{ id: string }>(
      "select id from public.studio_runs where source = 'mcp' order by started_at desc nulls last limit 1",
    );
    await world.until(String(run?.id), "cancelled");
  });
});

describe("a client of the version without sessions (2026-07-28)", () => {
  async function connectNewest(path: string, apiKey = key) {
    const client = new newest.Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    const requestInit = { headers: { authorization: `Bearer ${apiKey}` } };
    await client.connect(
      new newest.StreamableHTTPClientTransport(new URL(`${world.stack.url}${path}`), { requestInit }),
    );
    return client;
  }

  test("is told what there is, calls it and hears what happens", async () => {
    const client = await connectNewest("/mcp/steps");
    expect(client.getServerVersion()).toEqual({ name: "switchyard", version: studioVersion });
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["steps"]);
    const told: (string | undefined)[] = [];
    const result = await client.callTool(
      { name: "steps", arguments: { message: orderOf("n", 2) } },
      { onprogress: ({ message }) => told.push(message) },
    );
    expect(textOf(result)).toBe("n is done");
    expect(told).toEqual(expect.arrayContaining(["Running", "Calling step", "Called step"]));
    await expect(client.callTool({ name: "other", arguments: {} })).rejects.toThrow("Unknown tool: other");
    await client.close();
  });

  test("starts a run of its own for each call, whatever its number", async () => {
    const both = await Promise.all([connectNewest("/mcp/steps"), connectNewest("/mcp/steps")]);
    const before = await runsStarted();
    const call = (client: newest.Client) =>
      client.callTool({ name: "steps", arguments: { message: orderOf("own", 1) } });
    await Promise.all(both.map(call));
    expect(await runsStarted()).toBe(before + 2);
    await Promise.all(both.map((client) => client.close()));
  });

  test("ends the run of a call that it cancels", async () => {
    const client = await connectNewest("/mcp/steps");
    const cancelled = new AbortController();
    const calling = client.callTool(
      { name: "steps", arguments: { message: orderOf("gone", 45) } },
      { signal: cancelled.signal, onprogress: ({ message }) => message === "Called step" && cancelled.abort() },
    );
    await expect(calling).rejects.toThrow("abort");
    const [run] = await world.stack.sql<{ id: string }>(
      "select id from public.studio_runs where source = 'mcp' order by started_at desc nulls last limit 1",
    );
    await world.until(String(run?.id), "cancelled");
    await client.close();
  });

  test("S79 gets nothing without a key, and nothing of others", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const ask = (path: string, headers: Record<string, string>) =>
      post(
        path,
        { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } },
        { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list", ...headers },
      );
    const stranger = (await makeApiKey(other, ["run:*"])).key;
    expect((await ask("/mcp/steps", {})).status).toBe(200);
    expect((await ask("/mcp/steps", { authorization: "" })).status).toBe(401);
    expect((await ask("/mcp/steps", { authorization: `Bearer ${stranger}` })).status).toBe(404);
    expect((await ask("/mcp/steps", { origin: "https://evil.test" })).status).toBe(403);
    const contradicting = await ask("/mcp/steps", { "mcp-method": "tools/call" });
    expect(contradicting.status).toBe(400);
  });
});

test("a value that is no object is the field input", async () => {
  await openDoor(await world.publish(stateless("word", "Hello")));
  const { client } = await connect("/mcp/word");
  expect((await client.listTools()).tools).toMatchObject([
    { inputSchema: { type: "object", properties: { input: { type: "string" } }, required: ["input"] } },
  ]);
  expect(textOf(await client.callTool({ name: "word", arguments: { input: "Hi" } }))).toBe("Hi");
});

test("a request that comes again starts no second run", async () => {
  const { session } = await connect("/mcp/steps");
  const before = await runsStarted();
  const send = async () =>
    (await post("/mcp/steps", callOf(orderOf("twice", 1)), { "mcp-session-id": session })).text();
  for (const answer of await Promise.all([send(), send()])) expect(answer).toContain("twice is done");
  expect(await runsStarted()).toBe(before + 1);
});

describe("S79 who may not, starts nothing", () => {
  test("S79 without a key, with an unknown, revoked or expired one: 401, and how to come in", async () => {
    const before = await runsStarted();
    const gone = await makeApiKey(world.user, ["run:*"]);
    await world.user.client.rpc("studio_revoke_api_key", { p_id: gone.id });
    const old = await makeApiKey(world.user, ["run:*"], {}, "2020-01-01T00:00:00Z");
    const cases = ["", "Bearer x", `Bearer sy_${"A".repeat(43)}`, `Bearer ${gone.key}`, `Bearer ${old.key}`];
    // A token of the studio itself is for another audience.
    for (const authorization of [...cases, `Bearer ${world.user.accessToken}`]) {
      for (const path of ["/mcp", "/mcp/steps"]) {
        const response = await post(path, initialize, { authorization });
        expect({ authorization, status: response.status }).toEqual({ authorization, status: 401 });
        expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="switchyard"/);
        expect(response.headers.get("mcp-session-id")).toBeNull();
        expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { data: { status: 401 } } });
      }
    }
    expect(await runsStarted()).toBe(before);
  });

  test("S79 another workflow's key, another owner's and a closed door: there is nothing", async () => {
    const before = await runsStarted();
    const stranger = (await makeApiKey(other, ["run:*"])).key;
    const narrow = (await makeApiKey(world.user, ["run:plain", "runs:read", "approve"])).key;
    for (const [path, apiKey] of [
      ["/mcp/steps", stranger],
      ["/mcp/steps", narrow],
      ["/mcp/closed", key],
      ["/mcp/nothing", key],
    ] as const) {
      const response = await post(path, initialize, { authorization: `Bearer ${apiKey}` });
      expect({ path, status: response.status }).toEqual({ path, status: 404 });
    }
    const theirs = await connect("/mcp", stranger);
    expect((await theirs.client.listTools()).tools).toEqual([]);
    await expect(theirs.client.callTool({ name: "steps", arguments: { message: "x" } })).rejects.toThrow(
      "Unknown tool",
    );
    const mine = await connect("/mcp", narrow);
    await expect(mine.client.callTool({ name: "steps", arguments: { message: "x" } })).rejects.toThrow("Unknown tool");
    expect(await runsStarted()).toBe(before);
  });

  test("S79 the session of another key, of another address, or a made-up one is unknown", async () => {
    const before = await runsStarted();
    const foreign = await connect("/mcp/steps", (await makeApiKey(world.user, ["run:steps"])).key);
    const elsewhere = await connect("/mcp");
    for (const session of [foreign.session, elsewhere.session, `${"A".repeat(43)}.${"A".repeat(43)}`, "1"]) {
      const response = await post("/mcp/steps", callOf(orderOf("s", 0)), { "mcp-session-id": session });
      expect([response.status, await response.json()]).toMatchObject([404, { error: { code: -32001 } }]);
    }
    const without = await post("/mcp/steps", callOf(orderOf("s", 0)));
    expect([without.status, await without.json()]).toMatchObject([400, { error: { code: -32600 } }]);
    expect(await runsStarted()).toBe(before);
  });

  test("S79 nobody cancels another client's call", async () => {
    const mine = await connect("/mcp/steps");
    const foreign = await connect("/mcp/steps", (await makeApiKey(world.user, ["run:steps"])).key);
    const again = await connect("/mcp/steps");
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 41 } };
    const answer = post("/mcp/steps", callOf(orderOf("kept", 3), 41), { "mcp-session-id": mine.session });
    for (const [session, apiKey] of [
      [foreign.session, (await makeApiKey(world.user, ["run:steps"])).key],
      [again.session, key],
    ] as const) {
      const headers = { "mcp-session-id": session, authorization: `Bearer ${apiKey}` };
      expect([202, 404]).toContain((await post("/mcp/steps", cancel, headers)).status);
    }
    expect(await (await answer).text()).toContain("kept is done");
  });

  test("S79 a page of another site and a request for another host are refused, also with a key", async () => {
    const before = await runsStarted();
    const { session } = await connect("/mcp/steps");
    const headers = { "mcp-session-id": session };
    for (const origin of ["https://evil.test", "null", "http://127.0.0.1:1"]) {
      const response = await post("/mcp/steps", callOf(orderOf("h", 0)), { ...headers, origin });
      expect([response.status, await response.json()]).toMatchObject([
        403,
        { error: { data: { code: "origin_not_allowed" } } },
      ]);
    }
    expect(await statusFor("evil.test", headers)).toBe(403);
    const own = (await makeApiKey(world.user, ["run:steps"], { origins: ["https://shop.test"] })).key;
    const page = await post("/mcp/steps", initialize, { authorization: `Bearer ${own}`, origin: "https://shop.test" });
    expect([page.status, page.headers.get("access-control-allow-origin")]).toEqual([200, "https://shop.test"]);
    expect(page.headers.get("access-control-expose-headers")).toContain("mcp-session-id");
    expect(await runsStarted()).toBe(before);
  });

  test("S79 batches and bodies that are no message are refused", async () => {
    const before = await runsStarted();
    const headers = { "mcp-session-id": (await connect("/mcp/steps")).session };
    const batch = [callOf(orderOf("q", 0)), callOf(orderOf("r", 0), 8)];
    for (const body of [batch, "Hello", 3, { jsonrpc: "1.0" }]) {
      expect((await post("/mcp/steps", body, headers)).status).toBe(400);
    }
    const get = await fetch(`${world.stack.url}/mcp/steps`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    expect(get.status).toBe(405);
    expect(await runsStarted()).toBe(before);
  });
});

test("S78 a tool that asks first is refused: nobody is there", async () => {
  await openDoor(await world.publish(world.stepAgent({ name: "asking", approval: "ask" })));
  const { client } = await connect("/mcp/asking");
  const hits = world.servers.toolHits.length;
  const result = await client.callTool({ name: "asking", arguments: { message: orderOf("ask", 1) } });
  expect(textOf(result)).toBe("ask is done");
  expect(world.servers.toolHits.length).toBe(hits);
});

/** What the studio answers a call that came to it under another host's name. */
function statusFor(host: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${world.stack.url}/mcp/steps`,
      {
        method: "POST",
        headers: { ...headers, host, authorization: `Bearer ${key}`, "content-type": "application/json" },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify(callOf(orderOf("h", 0))));
  });
}
