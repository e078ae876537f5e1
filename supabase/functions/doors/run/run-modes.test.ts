import { createParser, type EventSourceMessage } from "eventsource-parser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWorkflow } from "../../../../src/engine/testing/build-workflow.ts";
import { orderOf } from "../../../../worker/testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";
import { makeApiKey } from "../testing/api-keys.ts";

let world: WorkerWorld;
let key: { id: string; key: string };

beforeAll(async () => {
  world = await startWorkerWorld();
  await world.publish(world.stepAgent({ name: "steps", memory: true }));
  await world.publish(world.stepAgent({ name: "asks", approval: "ask" }));
  key = await makeApiKey(world.user, ["run:steps", "run:asks", "run:facts"]);
});
afterAll(() => world.stop());

type Body = Record<string, unknown>;

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}, by = key.key) {
  const response = await fetch(`${world.stack.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${by}`, "content-type": "application/json", ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return response;
}

async function asJson(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}

async function eventsOf(response: Response): Promise<{ id?: string; event?: string; data: Body }[]> {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  parser.feed(await response.text());
  return messages.map(({ id, event, data }) => ({
    ...(id === undefined ? {} : { id }),
    ...(event === undefined ? {} : { event }),
    data: JSON.parse(data) as Body,
  }));
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

test("answers at once with the run's address where that is preferred, and there says how it ended", async () => {
  const started = await call("POST", "/api/run/steps", { message: orderOf("later", 3) }, { prefer: "respond-async" });
  expect([started.status, started.headers.get("preference-applied")]).toEqual([202, "respond-async"]);
  const { id, url } = await asJson(started);
  expect(started.headers.get("location")).toBe(url);
  await world.until(String(id), "completed");
  expect(await asJson(await call("GET", String(url)))).toMatchObject({
    id,
    status: "completed",
    output: { response: "later is done" },
    usage: { totalTokens: 440 },
  });
  const waited = await call("POST", "/api/run/steps", { message: orderOf("long", 30) }, { prefer: "wait=1" });
  expect(waited.status).toBe(202);
});

test("the same idempotency key gives the same run, and another input under it is refused", async () => {
  const post = (message: string, headers: Record<string, string> = {}) =>
    call("POST", "/api/run/steps", { message }, { "idempotency-key": "order 7", ...headers });
  const first = await asJson(await post(orderOf("once", 1)));
  const second = await asJson(await post(orderOf("once", 1)));
  expect(second).toEqual(first);
  const other = await post(orderOf("twice", 1));
  expect([other.status, await asJson(other)]).toMatchObject([422, { code: "idempotency_key_reused" }]);
  const stranger = await makeApiKey(world.user, ["run:steps"]);
  const own = await call(
    "POST",
    "/api/run/steps",
    { message: orderOf("once", 1) },
    { "idempotency-key": "order 7" },
    stranger.key,
  );
  expect((await asJson(own))["id"]).not.toBe(first["id"]);
});

test("tells what happens as it happens, and goes on after the last event that arrived", async () => {
  const response = await call("POST", "/api/run/steps", { message: "speak 40 words" }, { accept: "text/event-stream" });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const events = await eventsOf(response);
  const texts = events.filter(({ event }) => event === "text");
  expect(events[0]?.event).toBe("run");
  expect(texts.map(({ data }) => data["text"]).join("")).toBe(words(40));
  expect(events.at(-1)).toMatchObject({ event: "end", data: { status: "completed", output: { response: words(40) } } });
  const { id } = events[0]?.data ?? {};
  const rest = await eventsOf(
    await call("GET", `/api/runs/${String(id)}/events`, undefined, { "last-event-id": texts[0]?.id ?? "" }),
  );
  const textOf = (some: typeof texts) => some.map(({ data }) => data["text"]).join("");
  expect(textOf(rest.filter(({ event }) => event === "text"))).toBe(textOf(texts.slice(1)));
  expect(JSON.stringify(events)).not.toContain("model-request");
});

test("S73 events of the log are for keys that may read runs, and runs of another account for none", async () => {
  const { id } = await asJson(await call("POST", "/api/run/steps", { message: orderOf("read", 1) }));
  const path = `/api/runs/${String(id)}`;
  const reader = await makeApiKey(world.user, ["runs:read"]);
  const sibling = await makeApiKey(world.user, ["run:*"]);
  const events = await eventsOf(await call("GET", `${path}/events`, undefined, {}, reader.key));
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(["run-start", "model-request", "run-end"]));
  expect((await call("GET", path, undefined, {}, reader.key)).status).toBe(200);
  expect((await call("POST", `${path}/cancel`, {}, {}, reader.key)).status).toBe(403);
  for (const [method, end] of [
    ["GET", ""],
    ["GET", "/events"],
    ["POST", "/cancel"],
    ["POST", "/decide"],
  ] as const) {
    const body = method === "POST" ? {} : undefined;
    expect((await call(method, `${path}${end}`, body, {}, sibling.key)).status, end).toBe(404);
  }
  expect((await call("GET", "/api/runs/7")).status).toBe(404);
});

test("cancels a run", async () => {
  const { id } = await asJson(
    await call("POST", "/api/run/steps", { message: orderOf("cancel", 45) }, { prefer: "respond-async" }),
  );
  expect((await call("POST", `/api/runs/${String(id)}/cancel`, {})).status).toBe(200);
  await world.eventually(async () => ((await world.row(String(id)))["status"] === "cancelled" ? true : undefined));
});

test("S73 what a run asks is shown to and answered by keys that may approve, and by no other", async () => {
  const approver = await makeApiKey(world.user, ["run:asks", "runs:read", "approve"]);
  const { id } = await asJson(
    await call("POST", "/api/run/asks", { message: orderOf("asked", 1) }, { prefer: "respond-async" }),
  );
  const path = `/api/runs/${String(id)}`;
  const question = await world.eventually(async () => {
    const { questions } = await asJson(await call("GET", path, undefined, {}, approver.key));
    return (questions as Body[] | undefined)?.[0];
  });
  expect(question).toMatchObject({ tool: "step", input: { run: "asked" } });
  expect(await asJson(await call("GET", path))).not.toHaveProperty("questions");
  const decision = { callId: question["callId"], approved: true };
  expect((await call("POST", `${path}/decide`, decision)).status).toBe(403);
  expect((await call("POST", `${path}/decide`, { callId: "x", approved: true }, {}, approver.key)).status).toBe(404);
  expect((await call("POST", `${path}/decide`, { approved: 1 }, {}, approver.key)).status).toBe(400);
  expect((await call("POST", `${path}/decide`, decision, {}, approver.key)).status).toBe(200);
  expect(await world.until(String(id), "completed")).toMatchObject({ status: "completed" });
  expect((await call("POST", `${path}/decide`, decision, {}, approver.key)).status).toBe(409);
});

test("S75 a session of one key is out of reach for another, whatever it is called", async () => {
  const stranger = await makeApiKey(world.user, ["run:steps"]);
  const say = (message: string, sessionId: string | undefined, by = key.key) =>
    call("POST", "/api/run/steps", { message, ...(sessionId === undefined ? {} : { sessionId }) }, {}, by);
  const heard = () => world.servers.vendor.seen.at(-1)?.body ?? "";
  const first = await asJson(await say(`the secret is plum, ${orderOf("mem", 0)}`, "7"));
  await say(orderOf("mem", 0), "7");
  expect(heard()).toContain("plum");
  const stored = (await world.row(String(first["id"])))["input"] as { value: { sessionId: string } };
  for (const name of ["7", stored.value.sessionId, `api ${key.id} 7`]) {
    await say(orderOf("mem", 0), name, stranger.key);
    expect(heard(), name).not.toContain("plum");
  }
  await say(orderOf("mem", 0), undefined);
  expect(heard()).not.toContain("plum");
});

test("S73 what a key may spend is kept to, before a call is made and before a run starts", async () => {
  const document = world.stepAgent({ name: "facts" });
  const model = document.nodes["model"];
  if (model) model.config = { ...model.config, inputPrice: 10, outputPrice: 1_000, maxTokens: 1_000 };
  await world.publish(document);
  const poor = await makeApiKey(world.user, ["run:*"], { dayUsd: 1.02 });
  const run = () => call("POST", "/api/run/facts", { message: orderOf("poor", 9) }, {}, poor.key);
  expect(await asJson(await run())).toMatchObject({
    status: "failed",
    error: { code: "budget", message: expect.stringContaining("API key") },
  });
  const { data } = await world.user.client.rpc("studio_api_key_use");
  const use = (data as { id: string; day_usd: number; runs: number }[]).find(({ id }) => id === poor.id);
  expect(use).toMatchObject({ runs: 1 });
  expect(Number(use?.day_usd)).toBeGreaterThan(0);
  expect(Number(use?.day_usd)).toBeLessThan(1.02);
  await world.stack.sql("update private.studio_key_spending set usd = 2 where key_id = $1", [poor.id]);
  const refused = await run();
  expect([refused.status, await asJson(refused)]).toMatchObject([429, { code: "spending_limit" }]);
});

test("S73 a key has as many runs under way as it may, and no more", async () => {
  const narrow = await makeApiKey(world.user, ["run:steps"], { concurrent: 2 });
  const start = () =>
    call("POST", "/api/run/steps", { message: orderOf("many", 20) }, { prefer: "respond-async" }, narrow.key);
  const statuses = (await Promise.all([start(), start(), start(), start()])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([202, 202, 429, 429]);
});

test("describes the workflow's input and the API as OpenAPI", async () => {
  const document = await asJson(await call("GET", "/api/run/steps/openapi.json"));
  expect(document).toMatchObject({
    openapi: "3.1.0",
    info: { title: "steps", version: "1" },
    paths: {
      "/api/run/steps": {
        post: { requestBody: { content: { "application/json": { schema: { required: ["message"] } } } } },
      },
    },
  });
  const refused = await call("POST", "/api/run/steps", { text: "no message" });
  expect([refused.status, await asJson(refused)]).toMatchObject([400, { code: "bad_request" }]);
  await world.publish(
    buildWorkflow({
      id: crypto.randomUUID(),
      name: "facts-of",
      nodes: { start: ["manual-trigger", { input: { city: "Bern", days: [1] } }] },
    }),
  );
  const wide = await makeApiKey(world.user, ["run:*"]);
  const other = await asJson(await call("GET", "/api/run/facts-of/openapi.json", undefined, {}, wide.key));
  expect(JSON.stringify(other)).toContain(
    '"properties":{"city":{"type":"string"},"days":{"type":"array","items":{"type":"number"}}}',
  );
  const ran = await call("POST", "/api/run/facts-of", { city: "Basel" }, {}, wide.key);
  expect([ran.status, await asJson(ran)]).toMatchObject([200, { output: { city: "Basel" } }]);
});

test("keeps the digits of large integers from the request to the run and its answer", async () => {
  await world.publish(
    buildWorkflow({
      id: crypto.randomUUID(),
      name: "numbers-of",
      nodes: {
        start: ["manual-trigger", {}],
        set: [
          "set-fields",
          { fields: { url: "https://example.com/{{json.id}}", same: "{{json.id == 7615917337495251231}}" } },
        ],
      },
      edges: ["start.main -> set.main"],
    }),
  );
  const wide = await makeApiKey(world.user, ["run:*"]);
  const started = await fetch(`${world.stack.url}/api/run/numbers-of`, {
    method: "POST",
    headers: { authorization: `Bearer ${wide.key}`, "content-type": "application/json" },
    body: '{"id": 7615917337495251231, "list": [-9223372036854775808, 1.5, 9007199254740991]}',
  });
  const { id, output } = await asJson(started);
  const list = ["-9223372036854775808", 1.5, 9_007_199_254_740_991];
  expect(output).toEqual({
    id: "7615917337495251231",
    list,
    url: "https://example.com/7615917337495251231",
    same: true,
  });
  expect((await world.row(String(id)))["input"]).toMatchObject({ value: { id: "7615917337495251231", list } });
});
