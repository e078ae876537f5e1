import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod/mini";
import { hashPassword } from "../../../src/doors/password-hash.ts";
import type { JsonObject } from "../../../src/engine/json.ts";
import { buildWorkflow } from "../../../src/engine/testing/build-workflow.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../worker/testing/worker-world.ts";
import { addressHeader } from "../_shared/caller-address.ts";
import type { ByteBudget } from "../_shared/byte-budget.ts";
import { serveDoor, sha256 } from "../_shared/door.ts";
import { createFunctionContext } from "../_shared/endpoint.ts";
import { readEnvironment } from "../_shared/function-environment.ts";
import type { SupabaseClient } from "../_shared/supabase-client.ts";
import { doorRoutes } from "./handler.ts";
import { makeApiKey } from "./testing/api-keys.ts";

let world: WorkerWorld;
let key: string;
/** The same doors without the gateway, to call them from any network. */
let doors: (request: Request) => Promise<Response>;
/** Calls of the database and memory that was given back, in their order. */
const done: string[] = [];

beforeAll(async () => {
  world = await startWorkerWorld({ workers: 0 });
  const { url, key: anonKey, serviceKey } = world.stack;
  const environment = readEnvironment({
    SUPABASE_URL: url,
    SUPABASE_ANON_KEY: anonKey,
    SUPABASE_SERVICE_ROLE_KEY: serviceKey,
    STUDIO_GATEWAY: "1",
  });
  const context = createFunctionContext(environment, () => undefined);
  const budget: ByteBudget = {
    ...context.budget,
    open(owner) {
      const share = context.budget.open(owner);
      return { ...share, giveBack: () => void (done.push("given back"), share.giveBack()) };
    },
  };
  doors = serveDoor(doorRoutes, { ...context, budget, supabase: noting(context.supabase) });
  key = (await makeApiKey(world.user, ["run:*"])).key;
});
afterAll(() => world.stop());

function noting(client: SupabaseClient): SupabaseClient {
  return {
    ...client,
    asParty: (...args) => noting(client.asParty(...args)),
    callAsService(name, ...args) {
      done.push(name);
      return client.callAsService(name, ...args);
    },
  };
}

interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
  /** Default: one of its own. */
  from?: string;
}

let networks = 0;
const anyNetwork = () => `198.51.${Math.floor(++networks / 250)}.${networks % 250}`;

function send(path: string, { body, headers, from = anyNetwork() }: Sent = {}): Promise<Response> {
  return doors(
    new Request(`http://doors/doors${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", [addressHeader]: from, ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }),
  );
}

const withKey = () => ({ authorization: `Bearer ${key}`, prefer: "respond-async" });

const problemOf = async (response: Response) => {
  const body: unknown = await response.json();
  return { status: response.status, ...(body as JsonObject) };
};

/** Publishes a workflow with a door; gives its id and slug. */
async function open(
  nodes: "chat" | "manual" | "hook",
  door: { kind: "api" | "hook" | "chat" | "mcp"; config?: JsonObject; secrets?: JsonObject },
  limits?: JsonObject,
): Promise<{ workflow: string; slug: string }> {
  const slug = `door-${randomUUID().slice(0, 8)}`;
  const trigger = { chat: "chat-trigger", manual: "manual-trigger", hook: "webhook-trigger" }[nodes];
  const document = buildWorkflow({ id: randomUUID(), name: slug, nodes: { start: [trigger] }, edges: [] });
  const workflow = await world.publish(document, limits);
  const { error } = await world.user.client.rpc("studio_save_door", {
    p_workflow_id: workflow,
    p_kind: door.kind,
    p_enabled: true,
    p_config: door.config ?? {},
    p_secrets: door.secrets ?? null,
  });
  if (error) throw new Error(error.message);
  return { workflow, slug };
}

const runsOf = (workflow: string) =>
  world.stack.sql<{ id: string; input: { value: JsonObject } }>(
    "select id, input from public.studio_runs where workflow_id = $1",
    [workflow],
  );

/** Enters a chat page from a network; gives what sends messages. */
async function enter(slug: string, from: string) {
  const response = await send(`/c-api/${slug}/session`, { body: {}, from });
  const { token } = z.object({ token: z.string() }).parse(await response.json());
  return async (text: string, more: JsonObject = {}) => {
    const answer = await send(`/c-api/${slug}/messages`, {
      body: { text, key: randomUUID(), ...more },
      headers: { authorization: `Bearer ${token}` },
      from,
    });
    if (answer.ok) await answer.body?.cancel();
    // No worker answers here, and a visitor with two open questions has to wait.
    await world.stack.sql("update public.studio_runs set status = 'completed' where status = 'queued'");
    return answer;
  };
}

const megabytes = (count: number) => "x".repeat(count * 1024 * 1024);
const picture = (bytes: number) => `data:image/png;base64,${"A".repeat(bytes)}`;

describe("S62 S95 an input is held against its limit before it is stored", () => {
  test("S62 by the run API: text beyond 1 MB is refused, attached pictures and files are not counted", async () => {
    const { workflow, slug } = await open("chat", { kind: "api" });
    const post = (body: unknown) => send(`/api/run/${slug}`, { body, headers: withKey() });
    expect(await problemOf(await post({ message: megabytes(1) }))).toMatchObject({
      status: 413,
      code: "too_large",
      detail: expect.stringContaining("1 MB"),
    });
    expect((await post({ message: "hi", other: megabytes(2) })).status).toBe(413);
    // What only says that it is a picture is none.
    expect((await post({ message: "hi", images: [`data:image/png;base64,${" words".repeat(300_000)}`] })).status).toBe(
      400,
    );
    expect(await runsOf(workflow)).toEqual([]);
    const files = [{ url: `data:application/pdf;base64,${"A".repeat(1_500_000)}`, name: "a.pdf" }];
    expect((await post({ message: "hi", images: [picture(1_500_000)], files })).status).toBe(202);
    expect((await post({ message: "hi", images: [picture(17 * 1024 * 1024)] })).status).toBe(413);
    expect(await runsOf(workflow)).toHaveLength(1);
  });

  test("S62 a workflow may take more or less, as its owner says", async () => {
    const more = await open("manual", { kind: "api" }, { inputMb: 3 });
    const less = await open("manual", { kind: "api" }, { inputMb: 0.01 });
    const post = async (slug: string, size: number) =>
      (await send(`/api/run/${slug}`, { body: { text: "x".repeat(size) }, headers: withKey() })).status;
    expect(await post(more.slug, 2_000_000)).toBe(202);
    expect(await post(more.slug, 3_200_000)).toBe(413);
    expect(await post(less.slug, 5_000)).toBe(202);
    expect(await post(less.slug, 20_000)).toBe(413);
  });

  test("S62 by OpenAI's API, MCP and A2A", async () => {
    const { workflow, slug } = await open("chat", { kind: "mcp" });
    const large = megabytes(1);
    const asked: [string, JsonObject][] = [
      ["/v1/chat/completions", { model: slug, messages: [{ role: "user", content: large }] }],
      ["/v1/responses", { model: slug, input: large }],
    ];
    for (const [path, body] of asked) {
      const answer = await problemOf(await send(path, { body, headers: withKey() }));
      expect(answer).toMatchObject({ status: 413, error: { code: "too_large" } });
    }
    const parts = [{ kind: "text", text: `${large}${large}` }];
    const message = { messageId: "m", role: "user", kind: "message", parts };
    const rpc = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
    expect((await send(`/a2a/${slug}`, { body: rpc, headers: withKey() })).status).toBe(413);

    const mcp = { authorization: `Bearer ${key}`, accept: "application/json, text/event-stream" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const begun = await send(`/mcp/${slug}`, {
      body: { jsonrpc: "2.0", id: 1, method: "initialize", params },
      headers: mcp,
    });
    const session = { ...mcp, "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: slug, arguments: { message: large } } };
    expect(await (await send(`/mcp/${slug}`, { body: call, headers: session })).text()).toContain(
      "takes 1 MB of input",
    );
    expect(await runsOf(workflow)).toEqual([]);
  });

  test("S62 by webhooks, whatever is in them", async () => {
    const small = await open("hook", { kind: "hook", config: { scheme: "none", keepRawBody: true } });
    const large = await open("hook", { kind: "hook", config: { scheme: "none" } }, { inputMb: 4 });
    const binary = { "content-type": "application/octet-stream" };
    expect((await send(`/hooks/${small.slug}`, { body: `"${megabytes(1)}"` })).status).toBe(413);
    expect((await send(`/hooks/${small.slug}/test`, { body: `"${megabytes(1)}"` })).status).toBe(413);
    // What came fits, though the run's input says it twice and in another form.
    expect((await send(`/hooks/${small.slug}`, { body: "\u0001".repeat(900_000), headers: binary })).status).toBe(202);
    expect((await send(`/hooks/${large.slug}`, { body: `"${megabytes(3)}"` })).status).toBe(202);
    expect((await send(`/hooks/${large.slug}`, { body: `"${megabytes(4)}"` })).status).toBe(413);
  });
});

test("S95 a message to an agent counts in memory until its run is started", async () => {
  const { workflow, slug } = await open("chat", { kind: "api" });
  const message = { messageId: "m", role: "user", kind: "message", parts: [{ kind: "text", text: "Hello" }] };
  const params = { message, configuration: { blocking: false } };
  const body = { jsonrpc: "2.0", id: 1, method: "message/send", params };
  done.length = 0;
  expect((await send(`/a2a/${slug}`, { body, headers: withKey() })).status).toBe(200);
  expect(await runsOf(workflow)).toHaveLength(1);
  expect(done.filter((what) => what === "given back" || what === "studio_door_begin")[0]).toBe("studio_door_begin");
});

describe("S95 nobody uses up what is for all", () => {
  test("S95 a visitor and a network have a share of the page's day, and others go on", async () => {
    const { workflow, slug } = await open("chat", { kind: "chat", config: { perDay: 100, perMinute: 600 } });
    const sent = async (count: number, from: string) => {
      const say = await enter(slug, from);
      const statuses = [];
      for (let index = 0; index < count; index += 1) statuses.push((await say(`${index}`)).status);
      return statuses;
    };
    // A tenth of the day.
    expect(await sent(11, "203.0.113.1")).toEqual([...Array<number>(10).fill(200), 429]);
    // Other visitors from there have 20 of the network's 30 left.
    expect(await sent(10, "203.0.113.1")).toEqual(Array<number>(10).fill(200));
    const say = await enter(slug, "203.0.113.1");
    for (let index = 0; index < 10; index += 1) await say(`${index}`);
    const answer = await (await enter(slug, "203.0.113.1"))("one more");
    expect(await problemOf(answer.clone())).toMatchObject({
      status: 429,
      code: "daily_share",
      detail: expect.stringContaining("Your network has sent as many messages"),
    });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await sent(1, "203.0.113.2")).toEqual([200]);
    expect(await runsOf(workflow)).toHaveLength(31);
  });

  test("S95 bytes count for all pages of an owner together, and what comes again counts once", async () => {
    const config = { attachments: true, visitorMbPerDay: 1 };
    const [one, two] = [await open("chat", { kind: "chat", config }), await open("chat", { kind: "chat", config })];
    const from = "203.0.113.10";
    const say = await enter(one.slug, from);
    const again = { key: randomUUID(), images: [picture(800_000)] };
    expect((await say("a picture", again)).status).toBe(200);
    expect((await say("a picture", again)).status).toBe(200);
    expect(await problemOf(await say("another", { images: [picture(800_000)] }))).toMatchObject({
      status: 429,
      detail: expect.stringContaining("You have sent as much data"),
    });
    expect((await say("words")).status).toBe(200);
    // Three times a visitor's for the network, wherever it sends them.
    const statuses = [];
    for (let index = 0; index < 4; index += 1) {
      statuses.push((await (await enter(two.slug, from))("a picture", { images: [picture(1_100_000)] })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test("S95 an API key and the sender of a webhook have one, which their owner sets", async () => {
    const api = await open("manual", { kind: "api" }, { senderPerDay: 2 });
    const hook = await open("hook", { kind: "hook", config: { scheme: "none" } }, { senderMbPerDay: 0.5 });
    const mine = await makeApiKey(world.user, ["run:*"]);
    const start = async (secret: string, idempotency: string) =>
      (
        await send(`/api/run/${api.slug}`, {
          body: {},
          headers: { authorization: `Bearer ${secret}`, prefer: "respond-async", "idempotency-key": idempotency },
        })
      ).status;
    expect([await start(mine.key, "1"), await start(mine.key, "1"), await start(mine.key, "2")]).toEqual([
      202, 202, 202,
    ]);
    expect(await start(mine.key, "3")).toBe(429);
    expect(await start(mine.key, "2")).toBe(202);
    expect(await start(key, "1")).toBe(202);

    const post = async (from: string) =>
      (await send(`/hooks/${hook.slug}`, { body: `"${"x".repeat(300_000)}"`, from })).status;
    expect([await post("203.0.113.20"), await post("203.0.113.20")]).toEqual([202, 429]);
    expect(await post("203.0.113.21")).toBe(202);
  });

  test("S95 at four fifths of a share, of the page's day and of the storage the owner is told, each once", async () => {
    const told = await open("hook", { kind: "hook" });
    const tell = (workflow: string, limits: JsonObject) =>
      world.user.client.rpc("studio_set_publication", {
        p_workflow_id: workflow,
        p_limits: limits,
        p_on_failure: { workflowId: told.workflow },
      });
    const api = await open("manual", { kind: "api" });
    await tell(api.workflow, { senderPerDay: 5 });
    for (let index = 0; index < 6; index += 1) await send(`/api/run/${api.slug}`, { body: {}, headers: withKey() });
    const page = await open("chat", { kind: "chat", config: { perDay: 5, visitorPerDay: 50, networkPerDay: 50 } });
    await tell(page.workflow, {});
    const say = await enter(page.slug, anyNetwork());
    for (let index = 0; index < 6; index += 1) await say(`${index}`);
    await world.stack.sql(
      "select public.studio_set_quota('bytes', (select 1.2 * max(bytes) from private.studio_usage)::bigint)",
    );
    for (let index = 0; index < 2; index += 1) await (await enter(page.slug, anyNetwork()))("no more today");
    const third = await open("manual", { kind: "api" });
    await tell(third.workflow, {});
    for (let index = 0; index < 2; index += 1) await send(`/api/run/${third.slug}`, { body: {}, headers: withKey() });
    await world.stack.sql("select public.studio_set_quota('bytes', 2000000000)");
    const words = (await runsOf(told.workflow)).map(({ input }) => String(input.value["message"]));
    expect(words.toSorted()).toEqual([
      expect.stringMatching(/^Four fifths of your account’s storage/),
      "The API key “Test” has used four fifths of the messages that one sender may send today.",
      "Visitors have sent four fifths of the messages that the chat page takes in a day.",
    ]);
    const { data } = await world.user.client
      .from("studio_publications")
      .select("share_notice")
      .eq("workflow_id", api.workflow);
    expect(data).toMatchObject([{ share_notice: { text: expect.stringContaining("“Test”"), at: expect.any(Number) } }]);
  });
});

describe("S65 a full account is said in words at every door", () => {
  test("S65 507, never 500, and nothing starts", async () => {
    const chat = await open("chat", { kind: "chat" });
    await world.user.client.rpc("studio_save_door", {
      p_workflow_id: chat.workflow,
      p_kind: "mcp",
      p_enabled: true,
      p_config: {},
      p_secrets: null,
    });
    const hook = await open("hook", { kind: "hook", config: { scheme: "none" } });
    const say = await enter(chat.slug, anyNetwork());
    const workflows = () => world.user.client.from("studio_workflows").insert({ name: "One more", document: {} });
    await world.stack.sql("select public.studio_set_quota('rows', 0)");
    try {
      const text = "hello";
      const part = { kind: "text", text };
      const message = { messageId: "m", role: "user", kind: "message", parts: [part] };
      const rpc = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
      const answers = [
        await send(`/api/run/${chat.slug}`, { body: { message: text }, headers: withKey() }),
        await send("/v1/chat/completions", {
          body: { model: chat.slug, messages: [{ role: "user", content: text }] },
          headers: withKey(),
        }),
        await send("/v1/responses", { body: { model: chat.slug, input: text }, headers: withKey() }),
        await send(`/a2a/${chat.slug}`, { body: rpc, headers: withKey() }),
        await send(`/hooks/${hook.slug}`, { body: "{}" }),
        await send(`/hooks/${hook.slug}/test`, { body: "{}" }),
        await say(text),
      ];
      for (const answer of answers) {
        expect([answer.status, await answer.text()]).toEqual([507, expect.stringContaining("no room left")]);
      }
      const { error, status } = await workflows();
      expect([status, error?.hint]).toEqual([507, expect.stringContaining("A limit of your account is reached")]);
      const saved = await fetch(`${world.stack.url}/functions/v1/credentials`, {
        method: "POST",
        headers: { apikey: world.stack.key, authorization: `Bearer ${world.user.accessToken}` },
        body: JSON.stringify({
          action: "save",
          name: "One more",
          type: "openai",
          fields: { apiKey: "test-key-0123456789" },
        }),
      });
      expect([saved.status, await saved.text()]).toEqual([507, expect.stringContaining("storage is full")]);
    } finally {
      await world.stack.sql("select public.studio_set_quota('rows', 250000)");
    }
    expect([...(await runsOf(chat.workflow)), ...(await runsOf(hook.workflow))]).toEqual([]);
    expect((await workflows()).error).toBeNull();
  });
});

describe("S77 wrong passwords slow down where they come from", () => {
  /** As if so many calls had come within the last minute. */
  const fill = async (name: string, used: number) =>
    world.stack.sql(
      "insert into private.studio_door_limits (key, window_start, used) values ($1, clock_timestamp(), $2)",
      [await sha256(name), used],
    );

  test("S77 100 of them at a page with a password keep nobody else out", async () => {
    const { workflow, slug } = await open("chat", {
      kind: "chat",
      config: { access: "password" },
      secrets: { passwordHash: await hashPassword("open sesame", crypto) },
    });
    const attempt = async (password: string, from: string) =>
      (await send(`/c-api/${slug}/session`, { body: { password }, from })).status;
    const guesses = await Promise.all(Array.from({ length: 15 }, () => attempt("wrong", "203.0.113.30")));
    expect(guesses.filter((status) => status === 401)).toHaveLength(10);
    expect(await attempt("open sesame", "203.0.113.30")).toBe(429);
    expect(await attempt("open sesame", "203.0.113.31")).toBe(201);
    // Also where the guesser has many networks; then each may try less often.
    await world.stack.sql("delete from private.studio_door_limits");
    await fill(`chat entry ${workflow}`, 100);
    const others = [];
    for (let index = 0; index < 4; index += 1) others.push(await attempt("wrong", "203.0.113.32"));
    expect(others).toEqual([401, 401, 401, 429]);
    expect(await attempt("open sesame", "203.0.113.33")).toBe(201);
  });

  test("S77 those at a page for accounts keep out nobody who comes from elsewhere", async () => {
    const { slug } = await open("chat", { kind: "chat", config: { access: "account" } });
    const { email, password } = world.user;
    const attempt = async (tried: string, from: string) =>
      (await send(`/c-api/${slug}/session`, { body: { email, password: tried }, from })).status;
    for (let index = 0; index < 5; index += 1) expect(await attempt("wrong", "203.0.113.40")).toBe(401);
    expect(await attempt(password, "203.0.113.40")).toBe(429);
    expect(await attempt(password, "203.0.113.41")).toBe(201);
  });
});
