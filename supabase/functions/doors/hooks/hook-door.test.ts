import { createHmac, randomUUID } from "node:crypto";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HookDoorConfig } from "../../../../src/doors/hook-door.ts";
import type { JsonObject } from "../../../../src/engine/json.ts";
import { buildWorkflow, type WorkflowSketch } from "../../../../src/engine/testing/build-workflow.ts";
import { signUp, type SignedIn } from "../../../local/testing/clients.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";
import { newStandardSecret, standardHeaders } from "../../_shared/webhooks/standard-webhook.ts";

let world: WorkerWorld;
let other: SignedIn;

beforeAll(async () => {
  world = await startWorkerWorld();
  other = await signUp(world.stack);
});
afterAll(() => world.stop());

const echo: Pick<WorkflowSketch, "nodes" | "edges"> = { nodes: { hook: ["webhook-trigger"] }, edges: [] };

const answering: Pick<WorkflowSketch, "nodes" | "edges"> = {
  nodes: {
    hook: ["webhook-trigger"],
    answer: [
      "respond",
      {
        status: 418,
        headers: {
          "content-type": "text/html",
          "x-kind": "tea",
          "x-accel-redirect": "/etc/passwd",
          "x-litespeed-location": "/etc/passwd",
          "x-reproxy-url": "http://127.0.0.1",
          "x-dns-prefetch-control": "on",
          link: "<a>",
        },
        bodyType: "text",
        text: "<b>{{json.body.name}}</b>",
      },
    ],
    slow: ["http-request", { url: "https://unused.invalid/" }],
  },
  edges: ["hook.main -> answer.main"],
};

async function saveDoor(workflow: string, config: Partial<HookDoorConfig>, enabled = true, by = world.user) {
  const parameters = { p_workflow_id: workflow, p_kind: "hook", p_enabled: enabled, p_config: config, p_secrets: null };
  return by.client.rpc("studio_save_door", parameters);
}

const renew = (workflow: string, secret: string, keep = false, by = world.user) =>
  by.client.rpc("studio_renew_hook_secret", { p_workflow_id: workflow, p_secret: secret, p_keep_previous: keep });

/** Publishes a workflow with a webhook; gives its id and slug. */
async function hook(sketch: Pick<WorkflowSketch, "nodes" | "edges">, config: Partial<HookDoorConfig>, secret?: string) {
  const slug = `hook-${randomUUID().slice(0, 8)}`;
  const workflow = await world.publish(buildWorkflow({ id: randomUUID(), name: slug, ...sketch }));
  expect((await saveDoor(workflow, config)).error).toBeNull();
  if (secret !== undefined) expect((await renew(workflow, secret)).error).toBeNull();
  return { workflow, slug };
}

interface Sent {
  path?: string;
  method?: string;
  body?: string | FormData | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

const send = (slug: string, { path = "", method = "POST", body, headers = {} }: Sent = {}) =>
  fetch(`${world.stack.url}/hooks/${slug}${path}`, {
    method,
    headers: { ...(typeof body === "string" ? { "content-type": "application/json" } : {}), ...headers },
    ...(body === undefined ? {} : { body }),
  });

const runsOf = (workflow: string) =>
  world.stack.sql<{ id: string; status: string; source: string }>(
    "select id, status, source from public.studio_runs where workflow_id = $1",
    [workflow],
  );

const problemOf = async (response: Response): Promise<[number, JsonObject]> => [response.status, await response.json()];

test("answers at once with the number of the run, which gets the request", async () => {
  const { workflow, slug } = await hook(echo, { scheme: "none" });
  const response = await send(slug, {
    path: "?page=1&page=2&q=x",
    body: '{"name":"Ada","odd":"\\u0000"}',
    headers: {
      "x-kind": "tea",
      cookie: "a=b",
      authorization: "Bearer test-key-unused",
      "x-forwarded-for": "203.0.113.9",
    },
  });
  expect(response.status).toBe(202);
  const { id } = await response.json();
  expect(response.headers.get("x-switchyard-run")).toBe(id);
  const run = await world.until(id, "completed");
  expect(run).toMatchObject({
    workflow_id: workflow,
    source: "webhook",
    output: {
      value: {
        method: "POST",
        query: { page: ["1", "2"], q: "x" },
        headers: { "content-type": "application/json", "x-kind": "tea", host: new URL(world.stack.url).host },
        body: { name: "Ada", odd: "\uFFFD" },
      },
    },
  });
  expect(JSON.stringify(run["input"])).not.toMatch(/test-key-unused|a=b|203\.0\.113|rawBody/);
});

test("the output is the answer; bodies are read by their type, and kept as text where asked", async () => {
  const { slug } = await hook(echo, { scheme: "none", answer: "output", keepRawBody: true });
  const read = async (sent: Sent) => (await (await send(slug, sent)).json()) as JsonObject;
  expect(await read({ body: '{ "a": 1 }' })).toMatchObject({ body: { a: 1 }, rawBody: '{ "a": 1 }' });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  expect(await read({ body: "a=1&b=2&b=3&__proto__=x", headers: form })).toMatchObject({
    body: { a: "1", b: ["2", "3"] },
  });
  expect(await read({ body: "Hi", headers: { "content-type": "text/plain" } })).toMatchObject({ body: "Hi" });
  expect(await read({})).toMatchObject({ body: null, query: {} });
  const parts = new FormData();
  parts.append("note", "Hi");
  parts.append("file", new File(["a,b"], "list.csv", { type: "text/csv" }));
  parts.append("file", new File([Uint8Array.from([255, 0])], "x.bin"));
  expect(await read({ body: parts })).toMatchObject({
    body: {
      note: "Hi",
      file: [
        { name: "list.csv", type: "text/csv", size: 3, text: "a,b" },
        { name: "x.bin", size: 2, base64: "/wA=" },
      ],
    },
  });
});

test("bodies are read in the encoding and the compression in which they come", async () => {
  const { slug } = await hook(echo, { scheme: "none", answer: "output" });
  const read = async (sent: Sent) => ((await (await send(slug, sent)).json()) as JsonObject)["body"];
  const form = (charset = "") => ({ "content-type": `application/x-www-form-urlencoded${charset}` });
  expect(await read({ body: "name=M%FCller+%26+Co", headers: form() })).toEqual({ name: "Müller & Co" });
  expect(await read({ body: "name=%C3%BC&x=%2", headers: form() })).toEqual({ name: "ü", x: "%2" });
  expect(await read({ body: "p=%A420", headers: form("; charset=ISO-8859-15") })).toEqual({ p: "€20" });
  expect(await read({ body: '\uFEFF{"a":1}' })).toEqual({ a: 1 });
  const text = { "content-type": "text/plain; charset=windows-1251" };
  expect(await read({ body: Uint8Array.from([207, 240, 232]), headers: text })).toBe("При");
  const csv = { "content-type": "text/csv" };
  expect(await read({ body: Uint8Array.from(Buffer.from("cdcbbbf5d5feb2df", "hex")), headers: csv })).toBe("退货政策");
  const xml = `<?xml version="1.0" encoding="ISO-8859-1"?><a>\u00fc</a>`;
  const asXml = { "content-type": "application/xml" };
  expect(await read({ body: Uint8Array.from(Buffer.from(xml, "latin1")), headers: asXml })).toBe(xml);
  expect(await read({ body: "n=%95%D4%95i%82%C5%82%AB%82%DC%82%B7", headers: form() })).toEqual({ n: "返品できます" });
  const json = '{"a":"ü"}';
  const packed = { gzip: gzipSync(json), br: brotliCompressSync(json), deflate: deflateSync(json) };
  for (const [name, body] of Object.entries(packed))
    expect(
      await read({
        body: Uint8Array.from(body),
        headers: { "content-type": "application/json", "content-encoding": name },
      }),
      name,
    ).toEqual({ a: "ü" });
});

test("S62 limits count after unpacking, and signatures before", async () => {
  const { workflow, slug } = await hook(echo, { scheme: "none" });
  const packed = (body: Buffer, encoding: string) =>
    send(slug, {
      body: Uint8Array.from(body),
      headers: { "content-type": "text/plain", "content-encoding": encoding },
    });
  expect((await packed(gzipSync(Buffer.alloc(100_000_000)), "gzip")).status).toBe(413);
  expect((await packed(Buffer.from("plain"), "gzip")).status).toBe(400);
  expect((await packed(Buffer.from("plain"), "zstd")).status).toBe(415);
  expect((await packed(gzipSync(gzipSync(gzipSync("x"))), "gzip, gzip, gzip")).status).toBe(415);
  const deep = Buffer.from(`["∀",${"[".repeat(3_000)}${"]".repeat(3_000)}]`, "utf16le");
  const type = { "content-type": "application/json; charset=utf-16le" };
  expect((await send(slug, { body: Uint8Array.from(deep), headers: type })).status).toBe(400);
  expect(await runsOf(workflow)).toEqual([]);
});

test("S93 a respond node is the answer, inert at the studio's own origin, with the headers that it may set", async () => {
  const { slug } = await hook(answering, { scheme: "none", answer: "respond" });
  const response = await send(slug, { body: '{"name":"Ada"}' });
  expect([response.status, await response.text()]).toEqual([418, "<b>Ada</b>"]);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/html",
    "x-kind": "tea",
    "content-security-policy": expect.stringContaining("sandbox"),
    "x-content-type-options": "nosniff",
  });
  for (const name of ["x-accel-redirect", "x-litespeed-location", "x-reproxy-url", "link"])
    expect([name, response.headers.get(name)]).toEqual([name, null]);
  expect(response.headers.get("x-dns-prefetch-control")).not.toBe("on");
});

test("the text of an agent comes as it is written", async () => {
  const sketch: Pick<WorkflowSketch, "nodes" | "edges"> = {
    nodes: {
      hook: ["webhook-trigger"],
      agent: ["ai-agent", { userMessage: "{{json.body.question}}" }],
      model: ["demo-model"],
    },
    edges: ["hook.main -> agent.main", "model.model -> agent.model"],
  };
  const { slug } = await hook(sketch, { scheme: "none", answer: "stream" });
  const response = await send(slug, { body: '{"question":"What is 6*7?"}' });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  const text = await response.text();
  expect(text).toMatch(/^event: text\ndata: \{"text":/);
  expect(text.trimEnd().split("\n\n").at(-1)).toMatch(/^event: end\ndata: \{"output":\{.*"response":/);
});

describe("S74 webhooks", () => {
  test("S74 an awaited run that failed, or that never answered, is never told as success", async () => {
    const failing = {
      nodes: { hook: ["webhook-trigger"], bad: ["code", { code: "throw new Error('secret detail')" }] },
      edges: ["hook.main -> bad.main"],
    } satisfies Pick<WorkflowSketch, "nodes" | "edges">;
    for (const answer of ["output", "respond", "stream"] as const) {
      const { slug } = await hook(failing, { scheme: "none", answer });
      const response = await send(slug, { body: "{}" });
      const [status, problem] = await problemOf(response);
      expect({ answer, status, problem }).toMatchObject({ answer, status: 502, problem: { code: "run_failed" } });
      expect(response.headers.get("content-type")).toContain("application/problem+json");
      expect(JSON.stringify(problem)).not.toContain("secret detail");
    }
    const silent = await hook(echo, { scheme: "none", answer: "respond" });
    expect(await problemOf(await send(silent.slug, { body: "{}" }))).toMatchObject([502, { code: "no_answer" }]);
  });

  test("S74 nothing starts without the signature, with a wrong or old one, or with a changed body", async () => {
    const secret = newStandardSecret();
    const { workflow, slug } = await hook(echo, {}, secret);
    const now = Math.floor(Date.now() / 1_000);
    const body = '{"a":1}';
    const signed = (by: string, at = now) => standardHeaders([by], { id: randomUUID(), timestamp: at, body });
    const good = await signed(secret);
    const cases: [Sent, string][] = [
      [{ body }, "not_verified"],
      [{ body, headers: await signed(newStandardSecret()) }, "not_verified"],
      [{ body: '{"a":2}', headers: good }, "not_verified"],
      [{ body, headers: { ...good, "webhook-id": "another" } }, "not_verified"],
      [{ body, headers: await signed(secret, now - 400) }, "not_verified"],
      [{ body, headers: { authorization: `Bearer ${secret}` } }, "not_verified"],
      [{ body, headers: good, path: "/test/" }, "not_found"],
    ];
    for (const [sent, code] of cases)
      expect(await problemOf(await send(slug, sent))).toMatchObject([code === "not_found" ? 404 : 401, { code }]);
    expect(await runsOf(workflow)).toEqual([]);
    expect((await send(slug, { body, headers: good })).status).toBe(202);
    expect(await runsOf(workflow)).toHaveLength(1);
  });

  test("S74 a webhook without a secret, turned off, of another kind or without its node takes nothing", async () => {
    const bare = await hook(echo, { scheme: "bearer" });
    expect((await send(bare.slug, { body: "{}", headers: { authorization: "Bearer undefined" } })).status).toBe(401);
    await saveDoor(bare.workflow, { scheme: "none" }, false);
    const manual = await hook({ nodes: { start: ["manual-trigger"] } }, { scheme: "none" });
    await world.publish(world.stepAgent({ name: "no-hook" }));
    for (const slug of [bare.slug, manual.slug, "no-hook", "nothing", bare.workflow])
      expect(await problemOf(await send(slug, { body: "{}" }))).toMatchObject([404, { code: "not_found" }]);
    expect([...(await runsOf(bare.workflow)), ...(await runsOf(manual.workflow))]).toEqual([]);
  });

  test("S74 two secrets are live while one replaces the other, and only the owner changes them", async () => {
    const [first, second, third] = ["test-key-first", "test-key-second", "test-key-third"];
    const { workflow, slug } = await hook(echo, { scheme: "bearer" }, first);
    const status = async (token: string) =>
      (await send(slug, { body: "{}", headers: { authorization: `Bearer ${token}` } })).status;
    await renew(workflow, second, true);
    expect([await status(first), await status(second)]).toEqual([202, 202]);
    await renew(workflow, third, true);
    expect([await status(first), await status(second), await status(third)]).toEqual([401, 202, 202]);
    await world.user.client.rpc("studio_save_door", {
      p_workflow_id: workflow,
      p_kind: "hook",
      p_enabled: true,
      p_config: { scheme: "bearer" },
      p_secrets: { previous: null },
    });
    expect([await status(second), await status(third)]).toEqual([401, 202]);
    expect((await renew(workflow, "test-key-stolen", false, other)).error?.message).toContain("door_not_found");
    expect((await renew(workflow, "short")).error?.message).toContain("bad_secret");
    const { data } = await world.user.client.from("studio_doors").select().eq("workflow_id", workflow);
    expect(data).toMatchObject([{ kind: "hook", secrets: ["current"] }]);
    expect(JSON.stringify(data)).not.toContain("test-key");
  });

  const github = (secret: string, body: string, id: string = randomUUID()) => ({
    body,
    headers: {
      "x-github-delivery": id,
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
  });

  /** Lets time pass for all that a webhook has started and knows. */
  const age = async (workflow: string, hours: number) => {
    const past = [workflow, hours];
    await world.stack.sql(
      "update public.studio_runs set started_at = now() - make_interval(hours => $2) where workflow_id = $1",
      past,
    );
    await world.stack.sql(
      "update private.studio_hook_deliveries set came_at = now() - make_interval(hours => $2) where workflow_id = $1",
      past,
    );
  };

  test("S74 a delivery that comes again within a day starts nothing and gets the same answer", async () => {
    const secret = newStandardSecret();
    const { workflow, slug } = await hook(answering, { scheme: "standard", answer: "respond" }, secret);
    const deliver = async (id: string, body: string) => {
      const timestamp = Math.floor(Date.now() / 1_000);
      return send(slug, { body, headers: await standardHeaders([secret], { id, timestamp, body }) });
    };
    const answers = [await deliver("d1", '{"name":"Ada"}'), await deliver("d1", '{"name":"Ada"}')];
    for (const response of answers) expect([response.status, await response.text()]).toEqual([418, "<b>Ada</b>"]);
    expect(new Set(answers.map(({ headers }) => headers.get("x-switchyard-run"))).size).toBe(1);
    expect(await runsOf(workflow)).toHaveLength(1);
    expect(await problemOf(await deliver("d1", '{"name":"Eve"}'))).toMatchObject([
      422,
      { code: "idempotency_key_reused" },
    ]);
    await world.stack.sql("update public.studio_runs set status = 'running', ended_at = null where workflow_id = $1", [
      workflow,
    ]);
    expect(await problemOf(await deliver("d1", '{"name":"Ada"}'))).toMatchObject([409, { code: "in_progress" }]);
    await world.stack.sql("update public.studio_runs set status = 'completed' where workflow_id = $1", [workflow]);
    await age(workflow, 25);
    expect((await deliver("d1", '{"name":"Ada"}')).status).toBe(418);
    expect(await runsOf(workflow)).toHaveLength(2);
  });

  test("S74 where the body alone is signed, a delivery starts one run as long as its secret is there, whatever it is called", async () => {
    const [first, second] = ["test-key-first", "test-key-second"];
    const { workflow, slug } = await hook(echo, { scheme: "github" }, first);
    const body = '{"action":"opened"}';
    const again = async (by: string, sent: Sent = {}) => {
      const { headers } = github(by, body);
      const response = await send(slug, { body, ...sent, headers: { ...headers, ...sent.headers } });
      return [response.status, (await response.json()).status];
    };
    expect(await again(first)).toEqual([202, "accepted"]);
    const upper = `sha256=${createHmac("sha256", first).update(body).digest("hex").toUpperCase()}`;
    const replays: Sent[] = [
      {},
      { path: "?again=1" },
      { headers: { "idempotency-key": "new", "webhook-id": "new" } },
      { headers: { "x-hub-signature-256": upper } },
      { headers: { "content-type": "text/plain" } },
    ];
    for (const sent of replays) expect(await again(first, sent)).toEqual([200, "known"]);
    await age(workflow, 24 * 400);
    expect(await again(first)).toEqual([200, "known"]);
    await world.stack.sql("delete from public.studio_runs where workflow_id = $1", [workflow]);
    expect(await again(first)).toEqual([200, "known"]);
    expect(await runsOf(workflow)).toEqual([]);
    await age(workflow, 0);
    // Another secret is another sender's word, also while the first one is still taken.
    await renew(workflow, second, true);
    expect(await again(second)).toEqual([202, "accepted"]);
    expect([await again(first), await again(second)]).toEqual([
      [200, "known"],
      [200, "known"],
    ]);
    expect(await runsOf(workflow)).toHaveLength(1);
    // What nothing can be signed with any more is forgotten.
    await renew(workflow, "test-key-third");
    await age(workflow, 1);
    expect((await send(slug, github("test-key-third", "{}"))).status).toBe(202);
    const kept = "select key from private.studio_hook_deliveries where workflow_id = $1";
    expect(await world.stack.sql(kept, [workflow])).toHaveLength(1);
    // Nor where it was stored with the door.
    const config = { scheme: "github", equalBodiesDiffer: false };
    const door = { p_workflow_id: workflow, p_kind: "hook", p_enabled: true, p_config: config };
    const secrets = { current: "test-key-fourth" };
    expect((await world.user.client.rpc("studio_save_door", { ...door, p_secrets: secrets })).error).toBeNull();
    await age(workflow, 1);
    expect((await send(slug, github("test-key-fourth", "{}"))).status).toBe(202);
    expect(await world.stack.sql(kept, [workflow])).toHaveLength(1);
  });

  test("S74 equal bodies are different events where the owner says so, with the number that they came with", async () => {
    const secret = "test-key-pings";
    const { workflow, slug } = await hook(echo, { scheme: "github", equalBodiesDiffer: true }, secret);
    const status = async (id: string) => (await send(slug, github(secret, '{"ping":true}', id))).status;
    expect([await status("p1"), await status("p2"), await status("p1")]).toEqual([202, 202, 200]);
    expect(await runsOf(workflow)).toHaveLength(2);
  });

  test("S74 where a time is signed, what has no number of its own is known by time and body", async () => {
    const secret = "test-key-slack";
    const { workflow, slug } = await hook(echo, { scheme: "slack" }, secret);
    const body = "command=%2Fask&text=hi";
    const status = async (at: number, key: string) => {
      const signature = createHmac("sha256", secret).update(`v0:${at}:${body}`).digest("hex");
      const proof = { "x-slack-request-timestamp": String(at), "x-slack-signature": `v0=${signature}` };
      const type = { "content-type": "application/x-www-form-urlencoded", "idempotency-key": key };
      return (await send(slug, { body, headers: { ...type, ...proof } })).status;
    };
    const now = Math.floor(Date.now() / 1_000);
    expect([await status(now, "a"), await status(now, "b"), await status(now - 1, "a")]).toEqual([200, 200, 200]);
    expect(await runsOf(workflow)).toHaveLength(2);
  });

  test("S74 S91 twenty replays at once start one run, and are one write", async () => {
    const secret = "test-key-replays";
    const { workflow, slug } = await hook(echo, { scheme: "github" }, secret);
    const all = await Promise.all(Array.from({ length: 20 }, () => send(slug, github(secret, '{"n":1}'))));
    expect(all.map(({ status }) => status).toSorted()).toEqual([...Array<number>(19).fill(200), 202]);
    expect(await runsOf(workflow)).toHaveLength(1);
    // The owner sees them, and a flood is one write at once and one a minute.
    const told = "select known_deliveries as count from public.studio_doors where workflow_id = $1";
    expect(await world.stack.sql(told, [workflow])).toEqual([{ count: 1 }]);
  });

  test("S74 twenty deliveries of one number at once start one run", async () => {
    const { workflow, slug } = await hook(echo, { scheme: "none" });
    const headers = (extra: number) => ({ "idempotency-key": "k", "x-attempt": String(extra) });
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(slug, { body: "{}", headers: headers(index) })),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(await Promise.all(all.map(async (response) => (await response.json()).id))).size).toBe(1);
    expect(await runsOf(workflow)).toHaveLength(1);
  });

  test("S74 S62 other methods, broken and large bodies are refused", async () => {
    const { workflow, slug } = await hook(echo, { scheme: "none" });
    const cases: [Sent, number][] = [
      [{ method: "GET" }, 405],
      [{ method: "PUT", body: "{}" }, 405],
      [{ body: "{" }, 400],
      [{ body: "[".repeat(2_000) }, 400],
      [{ body: "x", headers: { "content-type": "multipart/form-data; boundary=b" } }, 400],
      [{ body: `"${"x".repeat(1_100_000)}"` }, 413],
    ];
    for (const [sent, status] of cases) expect((await send(slug, sent)).status).toBe(status);
    const huge = await send(slug, { body: "x".repeat(25 * 1024 * 1024) });
    expect(huge.headers.get("content-type")).toContain("application/problem+json");
    expect(await problemOf(huge)).toMatchObject([413, { code: "too_large", status: 413 }]);
    expect(await runsOf(workflow)).toEqual([]);
    await saveDoor(workflow, { scheme: "none", allowGet: true });
    expect((await send(slug, { method: "GET", path: "?a=1" })).status).toBe(202);
  });

  test("S77 the limits of the publication hold", async () => {
    const { workflow, slug } = await hook(echo, { scheme: "none" });
    await world.user.client.rpc("studio_set_publication", {
      p_workflow_id: workflow,
      p_limits: { perMinute: 1 },
      p_on_failure: null,
    });
    expect((await send(slug, { body: "{}" })).status).toBe(202);
    const second = await send(slug, { body: "{}" });
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await problemOf(second)).toMatchObject([429, { code: "rate_limit" }]);
  });
});

test("the test address keeps the last request for its owner alone, and starts nothing", async () => {
  const { workflow, slug } = await hook(echo, { scheme: "bearer" }, "test-key-hook");
  const headers = { authorization: "Bearer test-key-hook" };
  expect((await send(slug, { path: "/test", body: "{}" })).status).toBe(401);
  await send(slug, { path: "/test?first=1", method: "GET", headers });
  expect(await (await send(slug, { path: "/test", body: '{"n":2}', headers })).json()).toEqual({ received: true });
  const kept = await world.user.client.from("studio_hook_requests").select("request").eq("workflow_id", workflow);
  expect(kept.data).toMatchObject([{ request: { method: "POST", body: { n: 2 }, query: {} } }]);
  expect(JSON.stringify(kept.data)).not.toContain("test-key-hook");
  expect((await other.client.from("studio_hook_requests").select()).data).toEqual([]);
  expect(await runsOf(workflow)).toEqual([]);
});

describe("what senders ask first", () => {
  const slackHeaders = (secret: string, body: string, at = Math.floor(Date.now() / 1_000)) => ({
    "x-slack-request-timestamp": String(at),
    "x-slack-signature": `v0=${createHmac("sha256", secret).update(`v0:${at}:${body}`).digest("hex")}`,
  });

  test("Slack: the challenge comes back, events are answered at once, and one that comes again starts nothing", async () => {
    const secret = "test-key-slack";
    const { workflow, slug } = await hook(echo, { scheme: "slack" }, secret);
    const challenge =
      '{"type":"url_verification","token":"t","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}';
    expect((await send(slug, { body: challenge })).status).toBe(401);
    const asked = await send(slug, { body: challenge, headers: slackHeaders(secret, challenge) });
    expect(await asked.json()).toEqual({ challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P" });
    const event = '{"type":"event_callback","event_id":"Ev1","event":{"type":"app_mention","text":"Hi"}}';
    for (const retry of ["0", "1"]) {
      const headers = { ...slackHeaders(secret, event), "x-slack-retry-num": retry };
      expect((await send(slug, { body: event, headers })).status).toBe(200);
    }
    expect(await runsOf(workflow)).toHaveLength(1);
  });

  test("WhatsApp: the challenge comes back for the token that was agreed on", async () => {
    const secret = "test-key-app-secret";
    const { workflow, slug } = await hook(echo, { scheme: "whatsapp" }, secret);
    await world.user.client.rpc("studio_save_door", {
      p_workflow_id: workflow,
      p_kind: "hook",
      p_enabled: true,
      p_config: { scheme: "whatsapp" },
      p_secrets: { verify: "test-key-verify" },
    });
    const ask = (token: string) =>
      send(slug, { method: "GET", path: `?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158201444` });
    expect([(await ask("test-key-verify")).status, await (await ask("test-key-verify")).text()]).toEqual([
      200,
      "1158201444",
    ]);
    expect((await ask("wrong")).status).toBe(405);
    expect(await runsOf(workflow)).toEqual([]);
  });

  test("Discord: a ping is answered with a ping, and a command is answered later", async () => {
    const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
    if (!("privateKey" in pair)) throw new Error("No key pair was made.");
    const key = Buffer.from(await crypto.subtle.exportKey("raw", pair.publicKey)).toString("hex");
    const { workflow, slug } = await hook(echo, { scheme: "discord" }, key);
    const interact = async (body: string) => {
      const at = String(Math.floor(Date.now() / 1_000));
      const signature = await crypto.subtle.sign("Ed25519", pair.privateKey, Buffer.from(at + body));
      const headers = { "x-signature-timestamp": at, "x-signature-ed25519": Buffer.from(signature).toString("hex") };
      return send(slug, { body, headers });
    };
    expect((await send(slug, { body: '{"type":1}' })).status).toBe(401);
    expect(await (await interact('{"id":"1","type":1}')).json()).toEqual({ type: 1 });
    expect(await (await interact('{"id":"2","type":2}')).json()).toEqual({ type: 5 });
    expect(await runsOf(workflow)).toHaveLength(1);
  });
});
