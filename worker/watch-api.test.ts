import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { type LoopbackServer, startLoopbackServer } from "../supabase/functions/_shared/testing/loopback-server.ts";
import { watchApi, type WatchedApi } from "./watch-api.ts";

let api: LoopbackServer;
let status: number;
let answer: string;
let said: string[];

beforeEach(async () => {
  status = 200;
  answer = "[]";
  said = [];
  api = await startLoopbackServer((_request, response) => response.writeHead(status).end(answer));
});
afterEach(() => api.stop());

function watch(url: string, options: { patienceMs?: number; everyMs?: number } = {}): WatchedApi {
  const watched = watchApi({
    url,
    publishableKey: "test-key-publishable",
    makeToken: () => Promise.resolve("test-key-token"),
    meanwhile: "Runs wait.",
    log: (line) => said.push(line),
    lookMs: 5,
    ...options,
  });
  onTestFinished(watched.close);
  return watched;
}

/** What undici throws where nobody listens. */
const refused = () => Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });

it("looks with a token of the worker's key, and says so where the API refuses it or its own name", async () => {
  const watched = watch(`http://${api.host}`);
  await watched.look();
  expect(api.seen[0]?.headers).toMatchObject({
    apikey: "test-key-publishable",
    authorization: "Bearer test-key-token",
  });
  status = 401;
  await expect(watched.look()).rejects.toThrow("refuses the keys of this worker");
  [status, answer] = [403, '{"code":"forbidden_origin"}'];
  await expect(watched.look()).rejects.toThrow("Start it with --name 127.0.0.1");
  expect(watched.isAway()).toBe(false);
  expect(said).toEqual([]);
});

it("makes a request that reached nobody once somebody answers, and tells when the API goes and comes", async () => {
  const watched = watch(`http://${api.host}`);
  let tries = 0;
  const send = watched.patient((input, init) => {
    tries += 1;
    return tries === 1 ? Promise.reject(refused()) : fetch(input, init);
  });
  const response = await send(`http://${api.host}/functions/v1/files`, { method: "POST", body: "once" });
  expect(response.status).toBe(200);
  expect(api.seen.filter(({ body }) => body === "once")).toHaveLength(1);
  await expect.poll(watched.isAway).toBe(false);
  const url = `http://${api.host}`;
  expect(said).toEqual([
    `The API at ${url} cannot be reached (ECONNREFUSED). Runs wait.`,
    `The API at ${url} answers again.`,
  ]);
});

it("notices by itself that an API is gone, where it is asked to", async () => {
  const watched = watch(`http://${api.host}`, { everyMs: 5 });
  await watched.look();
  await expect.poll(() => api.seen.length).toBeGreaterThan(2);
  expect(watched.isAway()).toBe(false);
  await api.stop();
  await expect.poll(watched.isAway).toBe(true);
});

it("is away while a gateway answers in its place", async () => {
  const watched = watch(`http://${api.host}`);
  for (status of [502, 503, 504]) {
    await watched.look();
    expect(watched.isAway()).toBe(true);
  }
  const url = `http://${api.host}`;
  expect(said).toEqual([`The API at ${url} cannot be reached (HTTP 502). Runs wait.`]);
  status = 200;
  await expect.poll(watched.isAway).toBe(false);
  expect(said.slice(1)).toEqual([`The API at ${url} answers again.`]);
});

it("is refused until the API lets it in, and says so once", async () => {
  const watched = watch(`http://${api.host}`, { everyMs: 5 });
  await watched.look();
  status = 401;
  await expect.poll(watched.isRefused).toBe(true);
  const before = api.seen.length;
  await expect.poll(() => api.seen.length).toBeGreaterThan(before + 3);
  expect(said).toEqual([expect.stringContaining("refuses the keys of this worker")]);
  expect(watched.isAway()).toBe(false);
  status = 200;
  await expect.poll(watched.isRefused).toBe(false);
});

it("is away until it answers, also where it was never there", async () => {
  const watched = watch("http://127.0.0.1:1");
  await watched.look();
  await watched.look();
  expect(watched.isAway()).toBe(true);
  expect(said).toHaveLength(1);
});

it("gives up what may have reached somebody, what cannot be sent twice, what was cancelled and what waited too long", async () => {
  const reset = Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } });
  const failing = (error: Error, watched = watch("http://127.0.0.1:1")) => {
    let tries = 0;
    const send = watched.patient(() => {
      tries += 1;
      return Promise.reject(error);
    });
    return { send, tries: () => tries };
  };
  const broken = failing(reset);
  await expect(broken.send("http://api.test")).rejects.toBe(reset);
  const spent = failing(refused());
  const body = new ReadableStream();
  await expect(spent.send("http://api.test", { method: "POST", body })).rejects.toThrow("fetch failed");
  const cancelled = failing(refused());
  const controller = new AbortController();
  const sending = cancelled.send("http://api.test", { signal: controller.signal });
  controller.abort(new Error("Cancelled."));
  await expect(sending).rejects.toThrow("Cancelled.");
  expect([broken.tries(), spent.tries(), cancelled.tries()]).toEqual([1, 1, 1]);
  const late = failing(refused(), watch("http://127.0.0.1:1", { patienceMs: -1 }));
  await expect(late.send("http://api.test")).rejects.toThrow("fetch failed");
});
