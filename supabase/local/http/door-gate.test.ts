import { connect } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderOf } from "../../../worker/testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../worker/testing/worker-world.ts";
import { doorPaths } from "../../functions/_shared/door-paths.ts";
import { serveDoor } from "../../functions/_shared/door.ts";
import { createFunctionContext } from "../../functions/_shared/endpoint.ts";
import { readEnvironment } from "../../functions/_shared/function-environment.ts";
import { doorRoutes } from "../../functions/doors/handler.ts";
import { makeApiKey } from "../../functions/doors/testing/api-keys.ts";
import { connectionLimits } from "./connection-limits.ts";
import { createDoorGate } from "./door-gate.ts";
import { createOpenDoors } from "./open-doors.ts";

let world: WorkerWorld;
let key: string;

beforeAll(async () => {
  world = await startWorkerWorld();
  await openPage("page");
  key = (await makeApiKey(world.user, ["run:*", "runs:read"])).key;
});
afterAll(() => world.stop());

async function openPage(slug: string, enabled = true, kind = "chat", id?: string): Promise<string> {
  const workflow = id ?? (await world.publish(world.stepAgent({ name: slug, approval: "ask" })));
  const { error } = await world.user.client.rpc("studio_save_door", {
    p_workflow_id: workflow,
    p_kind: kind,
    p_enabled: enabled,
    p_config: kind === "hook" ? { scheme: "token" } : {},
    p_secrets: null,
  });
  if (error) throw new Error(error.message);
  return workflow;
}

const madeUp = (prefix: string) =>
  `${prefix}_${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll("-", "A").slice(0, 46);

function call(path: string, authorization?: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...(authorization && { authorization: `Bearer ${authorization}` }), ...init.headers };
  return fetch(`${world.stack.url}${path}`, { ...init, headers });
}
const post = (path: string, authorization?: string, body: unknown = {}) =>
  call(path, authorization, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });

/** How often the database was asked for each of `count` calls, and for how long. */
async function costOf(count: number, send: () => Promise<Response>, expected: number) {
  const before = world.stack.database.work();
  const responses = await Promise.all(Array.from({ length: count }, send));
  for (const response of responses) await response.arrayBuffer();
  const after = world.stack.database.work();
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([expected]));
  return { turns: (after.turns - before.turns) / count, ms: (after.ms - before.ms) / count };
}

describe("S91 refusing costs the database little", () => {
  test("S91 a refused call costs at most a tenth of a served one", async () => {
    await world.publish(world.stepAgent({ name: "steps" }));
    const run = () => post("/api/run/steps", key, { message: orderOf(crypto.randomUUID(), 1) });
    await (await run()).arrayBuffer();
    const served = await costOf(4, run, 200);
    const kinds: Record<string, [() => Promise<Response>, number]> = {
      "no key": [() => post("/api/run/steps"), 401],
      "a made-up key": [() => post("/api/run/steps", madeUp("sy")), 401],
      "no webhook": [() => post(`/hooks/${crypto.randomUUID()}`), 404],
      "no chat": [() => call(`/c-api/${crypto.randomUUID()}/page`), 404],
      "no token": [() => call("/c-api/page/threads"), 401],
      "by the function's own path": [() => post("/functions/v1/doors/api/run/steps"), 401],
      // Without a built site there are no pages.
      "a page that is none": [() => call(`/c/${crypto.randomUUID().slice(0, 8)}`), 503],
    };
    for (const [kind, [send, status]] of Object.entries(kinds)) {
      const refused = await costOf(60, send, status);
      expect(refused.turns / served.turns, kind).toBeLessThanOrEqual(0.1);
    }
  });

  test("S91 a made-up token of a visitor costs two short reads and no write", async () => {
    const refused = await costOf(60, () => call("/c-api/page/threads", madeUp("cs")), 401);
    // The worker asks now and then.
    expect(refused.turns).toBeLessThan(2.5);
  });

  test("S91 a made-up link to a run costs one short read and no write, and one that is no link nothing", async () => {
    const link = () => call(`/s-api/${crypto.randomUUID().replaceAll("-", "")}`);
    // The worker asks now and then.
    expect((await costOf(60, link, 404)).turns).toBeLessThan(1.5);
    expect((await costOf(60, () => call("/s-api/made-up"), 404)).turns).toBeLessThan(0.5);
  });

  test("S91 made-up keys and names share a look, and where nothing changed there is none", async () => {
    const { database } = world.stack;
    let changes: number | null = null;
    const doors = createOpenDoors({ connect: database.connect, changes: () => changes });
    const looks = async (count: number) => {
      const before = database.work().turns;
      const found = await Promise.all(Array.from({ length: count }, () => doors.hasDoor("hook", crypto.randomUUID())));
      expect(found).toEqual(found.map(() => false));
      return database.work().turns - before;
    };
    // The worker asks now and then.
    expect(await looks(500)).toBeLessThan(20);
    changes = 1;
    await looks(1);
    expect(await looks(5_000)).toBeLessThan(5);
    doors.close();
  });

  test("S91 what was opened by another process just now is never refused, and what was closed is", async () => {
    const others = createOpenDoors({ connect: world.stack.database.connect, changes: () => null });
    const digest = async (secret: string) =>
      Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret))).toString("hex");
    expect(await others.keyState(await digest(madeUp("sy")))).toBe("unknown");
    const made = await makeApiKey(world.user, ["run:*"]);
    expect(await others.keyState(await digest(made.key))).toBe("open");
    const old = await makeApiKey(world.user, ["run:*"], {}, "2020-01-01T00:00:00Z");
    expect(await others.keyState(await digest(old.key))).toBe("expired");
    const name = `late-${crypto.randomUUID().slice(0, 8)}`;
    expect(await others.hasDoor("hook", name)).toBe(false);
    const id = await openPage(name, true, "hook");
    expect([await others.hasDoor("hook", name), await others.hasDoor("chat", name)]).toEqual([true, false]);
    await openPage(name, false, "hook", id);
    await world.user.client.rpc("studio_revoke_api_key", { p_id: made.id });
    // Another one's question makes it look.
    await others.hasDoor("hook", crypto.randomUUID());
    expect([await others.hasDoor("hook", name), await others.keyState(await digest(made.key))]).toEqual([
      false,
      "unknown",
    ]);
    others.close();
  });

  test("S91 keys made one after the other work at once in this studio", async () => {
    for (let count = 0; count < 10; count += 1) {
      const made = await makeApiKey(world.user, ["run:*"]);
      const [unknown, fresh] = await Promise.all([call("/v1/models", madeUp("sy")), call("/v1/models", made.key)]);
      expect([unknown.status, fresh.status]).toEqual([401, 200]);
    }
  });

  test("S91 while the database cannot say what is open, nobody is refused", async () => {
    const away = () => Promise.reject(new Error("away"));
    const doors = createOpenDoors({
      connect: () => ({ query: away, transaction: away, close: () => undefined }),
      changes: () => 0,
    });
    expect([await doors.hasDoor("chat", "page"), await doors.keyState("0")]).toEqual([true, "open"]);
  });
});

describe("S91 nobody can tell who refused", () => {
  const said = async (response: Response) => {
    const headers = [...response.headers].filter(([name]) => name !== "content-length").toSorted();
    return { status: response.status, headers, body: await response.text() };
  };

  test("S91 the gateway's refusals are the doors' own, to the letter", async () => {
    const door = serveDoor(
      doorRoutes,
      createFunctionContext(
        readEnvironment({
          SUPABASE_URL: world.stack.innerUrl,
          SUPABASE_ANON_KEY: world.stack.key,
          SUPABASE_SERVICE_ROLE_KEY: world.stack.serviceKey,
          STUDIO_GATEWAY: "1",
        }),
        () => undefined,
      ),
    );
    const gate = createDoorGate(createOpenDoors(world.stack.database));
    const old = await makeApiKey(world.user, ["run:*"], {}, "2020-01-01T00:00:00Z");
    const keys = [undefined, "x", madeUp("sy"), old.key];
    const withKey = ["POST /api/run/steps", "GET /v1/models", "POST /mcp", "POST /mcp/steps", "POST /a2a/steps"];
    const cases = [
      ...withKey.flatMap((route) => keys.map((secret) => [route, secret] as const)),
      ["POST /hooks/none", undefined],
      ["GET /c-api/none/page", undefined],
      ["GET /c-api/none/threads", undefined],
      ["GET /c-api/page/threads", undefined],
      ["GET /c-api/page/threads", "cs_short"],
    ] as const;
    for (const [index, [route, secret]] of cases.entries()) {
      // No address is refused often.
      const address = `203.0.113.${index}`;
      for (const origin of [undefined, "null"]) {
        const [method = "", pathname = ""] = route.split(" ");
        const headers = new Headers({
          ...(origin !== undefined && { origin }),
          ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
        });
        const request = new Request(`http://127.0.0.1/doors${pathname}`, { method, headers });
        const passed: string[] = [];
        const refused = await gate.answer(
          { method, pathname, headers, address, signal: request.signal },
          async (party) => {
            passed.push(party);
            return new Response();
          },
        );
        const [own, gates] = [await said(await door(request)), await said(refused)];
        expect({ route, secret, origin, passed, ...gates }).toEqual({ route, secret, origin, passed: [], ...own });
      }
    }
  });
});

test("S91 the gateway knows every route of the doors, and no other", () => {
  const routes = Object.entries(doorPaths).flatMap(([path, { methods }]) =>
    methods.map((method) => `${method} ${path}`),
  );
  expect(doorRoutes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(routes.toSorted());
});

test("S91 a call takes turns as its key, its publication or its network", async () => {
  const gate = createDoorGate(createOpenDoors(world.stack.database));
  const { signal } = new AbortController();
  const partyOf = async (method: string, pathname: string, authorization = "") => {
    let party = "";
    await gate.answer(
      { method, pathname, headers: new Headers({ authorization }), address: "203.0.113.1", signal },
      async (given) => {
        party = given;
        return new Response();
      },
    );
    return party;
  };
  expect(await partyOf("GET", "/v1/models", `Bearer ${key}`)).toMatch(/^key [0-9a-f]{32}$/);
  expect(await partyOf("GET", "/c-api/page/page")).toBe("door page; 203.0.113.1");
  expect(await partyOf("GET", "/api/nothing")).toBe("network 203.0.113.1");
});

test("S91 a burst for one door waits for itself, also in large calls, and the functions are no party", async () => {
  const done: string[] = [];
  const ask = async (party: string, bytes = 0) => {
    const response = await fetch(`${world.stack.innerUrl}/rest/v1/rpc/studio_take_door_limit`, {
      method: "POST",
      headers: {
        apikey: world.stack.serviceKey,
        "content-type": "application/json",
        "x-switchyard-party": party,
      },
      body: JSON.stringify({ p_key: crypto.randomUUID(), p_per_minute: 5 }).padEnd(bytes),
    });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    done.push(party);
  };
  for (const bytes of [0, 100_000]) {
    done.length = 0;
    const burst = Array.from({ length: 100 }, () => ask("door loud", bytes));
    await burst[0];
    await ask("door quiet", bytes);
    expect(done.indexOf("door quiet")).toBeLessThan(60);
    await Promise.all(burst);
  }
});

test("S91 an address has its calls a minute at each route, counted in memory; refusals then come with the time to wait", async () => {
  const gate = createDoorGate({ hasDoor: async () => true, keyState: async () => "open" });
  const { signal } = new AbortController();
  const enter = (address: string) =>
    gate.answer(
      { method: "POST", pathname: "/c-api/page/session", headers: new Headers(), address, signal },
      async () => new Response(),
    );
  const statuses = async (address: string, count: number) => {
    const all: number[] = [];
    for (let one = 0; one < count; one += 1) all.push((await enter(address)).status);
    return all;
  };
  expect(await statuses("203.0.113.1", 31)).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  const refused = await enter("203.0.113.1");
  expect([refused.headers.get("content-type"), await refused.json()]).toMatchObject([
    "application/problem+json; charset=utf-8",
    { code: "rate_limit", detail: "Too many requests came from your address." },
  ]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await statuses("203.0.113.2", 1)).toEqual([200]);
  // One machine has many addresses of IPv6.
  expect(await statuses("2001:db8::1", 30)).not.toContain(429);
  expect(await statuses("2001:db8::2", 1)).toEqual([429]);
});

describe("S91 streams", () => {
  test("S91 whatever connections visitors hold, the functions reach the database", async () => {
    const { hostname, port } = new URL(world.stack.url);
    const idle = await Promise.all(
      Array.from({ length: connectionLimits.fromLoopback }, async () => {
        const socket = connect(Number(port), hostname);
        socket.on("error", () => undefined);
        await once(socket, "connect");
        return socket;
      }),
    );
    const [own] = idle;
    const answered = new Promise<string>((resolve) => own?.once("data", (data) => resolve(String(data))));
    own?.write(`GET /v1/models HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`);
    expect(await answered).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of idle) socket.destroy();
  });

  test("S91 a run has so many followers, and a visitor so many streams: more are told when to come again", async () => {
    const [, run] = await Promise.all([openPage("asks"), world.start("page", { message: orderOf("w", 1) })]);
    await world.until(run, "waiting");
    const follow = () => call(`/api/runs/${run}/events`, key);
    const streams = await Promise.all(Array.from({ length: 20 }, follow));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const more = await follow();
    expect([more.status, more.headers.get("retry-after"), await more.json()]).toMatchObject([
      429,
      "5",
      { code: "rate_limit" },
    ]);
    await streams[0]?.body?.cancel();
    await world.eventually(async () => {
      const again = await follow();
      streams.push(again);
      return again.status === 200 || undefined;
    });
    for (const stream of streams) await stream.body?.cancel();

    const entered = (await (await post("/c-api/asks/session")).json()) as { token: string };
    const say = () => post("/c-api/asks/messages", entered.token, { text: orderOf("v", 1), key: crypto.randomUUID() });
    const answers: Response[] = [];
    for (let count = 0; count < 11; count += 1) answers.push(await say());
    expect(answers.map(({ status }) => status)).toContain(429);
    for (const answer of answers) await answer.body?.cancel();
  });
});
