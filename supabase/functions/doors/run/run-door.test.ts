import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signUp, type SignedIn } from "../../../local/testing/clients.ts";
import { orderOf } from "../../../../worker/testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";
import { serveDoor } from "../../_shared/door.ts";
import { createFunctionContext } from "../../_shared/endpoint.ts";
import { readEnvironment } from "../../_shared/function-environment.ts";
import { doorRoutes } from "../handler.ts";
import { makeApiKey } from "../testing/api-keys.ts";

let world: WorkerWorld;
let key: string;
let other: SignedIn;

beforeAll(async () => {
  world = await startWorkerWorld();
  await world.publish(world.stepAgent({ name: "steps" }));
  key = (await makeApiKey(world.user, ["run:steps"])).key;
  other = await signUp(world.stack);
});
afterAll(() => world.stop());

/** Posts to a door as a program does. */
function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${world.stack.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

const runsStarted = async () => (await world.stack.sql("select 1 from public.studio_runs where source = 'api'")).length;

test("a program runs a published workflow with a key and gets its answer", async () => {
  const response = await post("/api/run/steps", { message: orderOf("a", 2) });
  expect(response.headers.get("content-type")).toContain("application/json");
  const run = (await response.json()) as Record<string, unknown>;
  expect({ status: response.status, run }).toMatchObject({
    status: 200,
    run: { workflow: "steps", version: 1, status: "completed", output: { response: "a is done" } },
  });
  expect(await world.row(String(run["id"]))).toMatchObject({ source: "api", status: "completed" });
});

test("a run that failed is no success for who waits for it", async () => {
  world.servers.refused.add("b/0");
  const response = await post("/api/run/steps", { message: orderOf("b", 1) });
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ status: "failed", output: null, error: { code: expect.any(String) } });
});

describe("S73 keys", () => {
  test("S73 without a key, with another's or with a wrong one nothing starts", async () => {
    const before = await runsStarted();
    const stranger = (await makeApiKey(other, ["run:steps", "run:*"])).key;
    const narrow = (await makeApiKey(world.user, ["run:other", "runs:read"])).key;
    const cases: [string, number, string][] = [
      ["", 401, "unauthorized"],
      ["Bearer x", 401, "unauthorized"],
      [`Bearer sy_${"A".repeat(43)}`, 401, "unauthorized"],
      [`Bearer ${world.user.accessToken}`, 401, "unauthorized"],
      [`Bearer ${stranger}`, 404, "not_found"],
      [`Bearer ${narrow}`, 404, "not_found"],
    ];
    for (const [authorization, status, code] of cases) {
      const response = await post("/api/run/steps", { message: orderOf("x", 1) }, { authorization });
      expect(response.headers.get("content-type")).toContain("application/problem+json");
      expect({ authorization, status: response.status }).toEqual({ authorization, status });
      expect(await response.json()).toMatchObject({
        status,
        code,
        title: expect.any(String),
        type: expect.any(String),
      });
    }
    expect(await runsStarted()).toBe(before);
  });

  test("S73 a key that expired or was revoked opens nothing", async () => {
    const old = await makeApiKey(world.user, ["run:*"], {}, "2020-01-01T00:00:00Z");
    const expired = await post("/api/run/steps", {}, { authorization: `Bearer ${old.key}` });
    expect([expired.status, await expired.json()]).toMatchObject([401, { code: "key_expired" }]);
    const gone = await makeApiKey(world.user, ["run:*"]);
    const stolen = await other.client.rpc("studio_revoke_api_key", { p_id: gone.id });
    expect(stolen.error?.message).toContain("key_not_found");
    await world.user.client.rpc("studio_revoke_api_key", { p_id: gone.id });
    const revoked = await post("/api/run/steps", {}, { authorization: `Bearer ${gone.key}` });
    expect([revoked.status, await revoked.json()]).toMatchObject([401, { code: "unauthorized" }]);
  });

  test("S73 the database holds the hash of a key and its beginning, never the key", async () => {
    const { id, key: secret } = await makeApiKey(world.user, ["run:*"]);
    const { data } = await world.user.client.from("studio_api_keys").select("prefix,last_used_at").eq("id", id);
    expect(data).toEqual([{ prefix: secret.slice(0, 9), last_used_at: null }]);
    const dump = await world.stack.sql<{ row: string }>(
      `select keys::text || hashes::text as row from public.studio_api_keys as keys
       join private.studio_api_key_hashes as hashes on hashes.key_id = keys.id where keys.id = $1`,
      [id],
    );
    expect(dump).toHaveLength(1);
    expect(dump[0]?.row).not.toContain(secret.slice(9));
  });

  test("S73 a page may use a key from the origins that it is for, and from no other", async () => {
    const own = (await makeApiKey(world.user, ["run:steps"], { origins: ["https://shop.test"] })).key;
    const from = (origin: string, authorization = `Bearer ${own}`) =>
      post("/api/run/steps", { message: orderOf("o", 0) }, { authorization, origin });
    const allowed = await from("https://shop.test");
    expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([200, "https://shop.test"]);
    const before = await runsStarted();
    for (const response of [await from("https://evil.test"), await from("https://shop.test", `Bearer ${key}`)]) {
      expect([response.status, await response.json()]).toMatchObject([403, { code: "origin_not_allowed" }]);
    }
    expect(await runsStarted()).toBe(before);
    const asked = await fetch(`${world.stack.url}/api/run/steps`, {
      method: "OPTIONS",
      headers: { origin: "https://shop.test", "access-control-request-headers": "authorization" },
    });
    expect([asked.status, asked.headers.get("access-control-allow-headers")]).toEqual([204, "authorization"]);
    expect(asked.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("S73 a key has its requests a minute, which are told", async () => {
    const slow = (await makeApiKey(world.user, ["run:steps"], { perMinute: 2 })).key;
    const call = () => post("/api/run/nothing", {}, { authorization: `Bearer ${slow}` });
    const first = await call();
    expect([first.status, first.headers.get("ratelimit-policy")]).toEqual([404, '"key";q=2;w=60']);
    expect(first.headers.get("ratelimit")).toMatch(/^"key";r=1;t=\d+$/);
    await call();
    const third = await call();
    expect([third.status, await third.json()]).toMatchObject([429, { code: "rate_limit" }]);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

test("S77 without a gateway in front, an address has its requests a minute in Postgres, and cannot name itself", async () => {
  const door = serveDoor(
    doorRoutes,
    createFunctionContext(
      readEnvironment({
        SUPABASE_URL: world.stack.innerUrl,
        SUPABASE_ANON_KEY: world.stack.key,
        SUPABASE_SERVICE_ROLE_KEY: world.stack.serviceKey,
      }),
      () => undefined,
    ),
  );
  const ask = (first: string) =>
    door(
      new Request("http://127.0.0.1/doors/api/run/steps", {
        method: "POST",
        // The platform writes the last one.
        headers: { "x-forwarded-for": `${first}, 203.0.113.9`, "x-switchyard-client": first },
      }),
    );
  expect((await ask("198.51.100.1")).status).toBe(401);
  await world.stack.sql("update private.studio_door_limits set used = 100000, window_start = clock_timestamp()");
  const refused = await ask("198.51.100.2");
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: "rate_limit" }]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  await world.stack.sql("delete from private.studio_door_limits");
});

test("S77 the limits of a publication hold at the door: nothing starts beyond them", async () => {
  const workflow = await world.publish(world.stepAgent({ name: "narrow" }), { perMinute: 1 });
  const wide = (await makeApiKey(world.user, ["run:*"])).key;
  const start = () => post("/api/run/narrow", { message: orderOf("p", 0) }, { authorization: `Bearer ${wide}` });
  expect((await start()).status).toBe(200);
  const before = await runsStarted();
  const second = await start();
  expect([second.status, await second.json()]).toMatchObject([429, { code: "rate_limit" }]);
  await world.user.client.rpc("studio_set_publication", {
    p_workflow_id: workflow,
    p_limits: { dayUsd: 1 },
    p_on_failure: null,
  });
  await world.stack.sql("insert into private.studio_spending values ($1, (now() at time zone 'utc')::date, 2)", [
    workflow,
  ]);
  const spent = await start();
  expect([spent.status, await spent.json()]).toMatchObject([429, { code: "spending_limit" }]);
  expect(await runsStarted()).toBe(before);
});

test("S62 a large body is refused as it comes, and a wrong address or method is told", async () => {
  const send = (path: string, method: string, body?: string) =>
    fetch(`${world.stack.url}${path}`, { method, headers: { authorization: `Bearer ${key}` }, body: body ?? null });
  const cases: [Response, number, string][] = [
    [await send("/api/run/steps", "POST", "x".repeat(17 * 1024 * 1024)), 413, "too_large"],
    [await send("/api/run/steps", "POST", "no json"), 400, "bad_request"],
    [await send("/api/run/steps", "POST", "[".repeat(1_000)), 400, "bad_request"],
    [await send("/api/nothing", "POST"), 404, "not_found"],
    [await send("/api/run/steps", "PUT"), 405, "wrong_method"],
  ];
  for (const [response, status, code] of cases) {
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
  }
});

test("attachments of another form are refused in words, and nothing starts", async () => {
  const before = await runsStarted();
  for (const given of [
    { images: "https://example.com/a.png" },
    { images: [5] },
    { images: ["javascript:alert(1)"] },
    { images: Array<string>(9).fill("https://example.com/a.png") },
    { files: [{ url: "https://example.com/a.pdf" }] },
    { files: {} },
  ]) {
    const response = await post("/api/run/steps", { message: "Hello", ...given }, { authorization: `Bearer ${key}` });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: "bad_request", detail: expect.stringMatching(/^"(images|files)" has to be a list/) },
    ]);
  }
  expect(await runsStarted()).toBe(before);
});

test("S62 text that no database stores is refused with 400, and no address has a name with it or two versions", async () => {
  const before = await runsStarted();
  const as = (path: string, body: string) =>
    fetch(`${world.stack.url}${path}`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body });
  const unfit = [
    '{"message":"a\\u0000b"}',
    '{"message":"a\\ud800b"}',
    '{"message":"ok","\\u0000":1}',
    '{"message":"ok","list":[{"deep":"\\udc00"}]}',
  ];
  for (const body of unfit) {
    const response = await as("/api/run/steps", body);
    expect([body, response.status, await response.json()]).toMatchObject([body, 400, { code: "bad_request" }]);
    expect((await as("/v1/chat/completions", body)).status).toBe(400);
  }
  for (const slug of ["steps@live@2", "steps@1@live", "steps@", "steps@live@", "%00", "steps%00", "steps@%00"]) {
    const response = await as(`/api/run/${slug}`, '{"message":"Hi"}');
    expect([slug, response.status, await response.json()]).toMatchObject([slug, 404, { code: "not_found" }]);
  }
  expect(await runsStarted()).toBe(before);
  const paired = await as("/api/run/steps", JSON.stringify({ message: `${orderOf("pair", 0)} \u{1F600}` }));
  expect(paired.status).toBe(200);
});

test("a door's settings are its owner's, and its secrets are read by nobody", async () => {
  const workflow = await world.publish(world.stepAgent({ name: "kept" }));
  const save = (by: SignedIn, enabled: boolean, secrets: object | null) =>
    by.client.rpc("studio_save_door", {
      p_workflow_id: workflow,
      p_kind: "api",
      p_enabled: enabled,
      p_config: { title: "Kept" },
      p_secrets: secrets,
    });
  expect((await save(other, true, null)).error?.message).toContain("not_published");
  expect((await save(world.user, true, { first: "test-key-1", second: "test-key-2" })).error).toBeNull();
  await save(world.user, true, { second: null, third: "test-key-3" });
  await save(world.user, false, null);
  const { data } = await world.user.client.from("studio_doors").select().eq("workflow_id", workflow);
  expect(data).toMatchObject([{ enabled: false, config: { title: "Kept" }, secrets: ["first", "third"] }]);
  expect(JSON.stringify(data)).not.toContain("test-key");
  const read = await world.user.client.rpc("studio_read_door", { p_publication: "kept", p_kind: "api" });
  expect(read.error?.code).toBe("42501");
  const wide = (await makeApiKey(world.user, ["run:*"])).key;
  expect((await post("/api/run/kept", {}, { authorization: `Bearer ${wide}` })).status).toBe(404);
});
