import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type EdgeFunctions, startFunctions } from "./edge-functions.ts";
import { createFunctionsProxy, type FunctionsProxy } from "./functions-proxy.ts";
import { type HttpServer, listen } from "../http/http-server.ts";

const sources: Record<string, string> = {
  echo: `Deno.serve(async (request) => Response.json({
    path: new URL(request.url).pathname + new URL(request.url).search,
    method: request.method,
    body: await request.text(),
    headers: Object.fromEntries(request.headers),
    environment: Deno.env.toObject(),
  }, { status: 201, headers: { "x-answer": "yes" } }));`,
  "with-options": `Deno.serve({ port: 1 }, () => new Response("from options"));`,
  stream: `let aborted = 0;
    Deno.serve((request) => {
      if (request.url.endsWith("/aborted")) return new Response(String(aborted));
      request.signal.addEventListener("abort", () => aborted++);
      const letters = request.body.pipeThrough(new TextDecoderStream()).pipeThrough(new TransformStream({
        transform: (text, controller) => controller.enqueue(new TextEncoder().encode(text.toUpperCase())),
      }));
      return new Response(letters);
    });`,
  access: `Deno.serve(async () => {
    const attempt = async (task) => { try { await task(); return "allowed"; } catch (error) { return error.name; } };
    return Response.json({
      readOutside: await attempt(() => Deno.readTextFile("/etc/passwd")),
      readData: await attempt(() => Deno.readTextFile(new URL("../../data/keys.json", import.meta.url))),
      write: await attempt(() => Deno.writeTextFile("/tmp/switchyard-written", "x")),
      run: await attempt(() => new Deno.Command("/bin/sh").output()),
    });
  });`,
  crash: `Deno.serve((request) => request.url.endsWith("/crash") ? Deno.exit(3) : new Response("well"));`,
  hang: `Deno.serve((request) => { while (request.url.endsWith("/hang")); return new Response("well"); });`,
  fill: `Deno.serve(() => { const all = []; for (;;) all.push(new Array(1_000).fill({})); });`,
  never: `while (true);`,
  throws: `Deno.serve(() => { throw new Error("inside"); });`,
  "broken-import": `throw new Error("cannot be loaded");`,
  _shared: `throw new Error("never imported");`,
};

const root = await mkdtemp(join(tmpdir(), "switchyard-functions-"));
const folder = join(root, "functions");
const log: string[] = [];
let functions: EdgeFunctions;
let proxy: FunctionsProxy;
let server: HttpServer;
let url: string;

beforeAll(async () => {
  for (const [name, source] of Object.entries(sources)) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, "index.ts"), source);
  }
  await writeFile(join(folder, "deno.json"), "{}");
  await mkdir(join(root, "data"));
  await writeFile(join(root, "data", "keys.json"), "test-key-secret");
  functions = startFunctions({
    projectRoot: fileURLToPath(new URL("../../..", import.meta.url)),
    folder,
    cache: join(root, "cache"),
    dataRoot: join(root, "data"),
    environment: { SUPABASE_URL: "http://127.0.0.1:1", STUDIO_LOCAL: "1" },
    keepWarm: ["stream"],
    limits: { probeMs: 100, missedProbes: 20, idleMs: 500, pausesMs: [0, 50, 100] },
    log: (line) => log.push(line),
  });
  proxy = createFunctionsProxy(functions, () => 0);
  server = await listen("127.0.0.1", 0);
  server.handle((request) => proxy.forward(request, { maxBytes: 1_000_000 }, { address: "127.0.0.1", party: "test" }));
  url = `http://127.0.0.1:${server.port}/functions/v1`;
});

afterAll(async () => {
  await server.close();
  await proxy.close();
  await functions.stop();
  await rm(root, { recursive: true, force: true });
});

test("a function gets the request as on hosted Supabase, and its answer comes back", async () => {
  const response = await fetch(`${url}/echo/some/path?a=1`, {
    method: "PUT",
    body: "the body",
    headers: {
      authorization: "Bearer test-key-token",
      "content-type": "text/plain",
      // What only the gateway says.
      "x-switchyard-client": "203.0.113.9",
      "x-switchyard-party": "somebody else",
    },
  });
  expect(response.status).toBe(201);
  expect(response.headers.get("x-answer")).toBe("yes");
  const seen = await response.json();
  expect(seen).toMatchObject({ path: "/echo/some/path?a=1", method: "PUT", body: "the body" });
  expect(seen.headers).toMatchObject({ authorization: "Bearer test-key-token", "content-type": "text/plain" });
  expect(seen.headers).toMatchObject({ "x-switchyard-client": "127.0.0.1", "x-switchyard-party": "test" });
  expect(seen.headers).not.toHaveProperty("x-switchyard-functions-token");
});

test("S42 a path whose letters are percent-encoded reaches no function, nor another port", async () => {
  for (const path of ["/%66unctions/v1/echo", "/functions/v%31/echo", "/functions/%76%31/echo"]) {
    const response = await fetch(new URL(path, url));
    expect(response.status, path).toBe(404);
    expect((await response.json()).error.message).toBe("There is no edge function at this address.");
  }
});

test("a method that no function knows is refused for good, not as an outage", async () => {
  const response = await fetch(`${url}/echo`, { method: "PROPFIND" });
  expect(response.status).toBe(405);
  expect((await response.json()).error).toMatchObject({ code: "invalid_config", retryable: false });
});

test("S43 a function's environment holds what it is given and nothing of ours", async () => {
  vi.stubEnv("SWITCHYARD_CANARY", "test-key-canary");
  const { environment } = await (await fetch(`${url}/echo`)).json();
  vi.unstubAllEnvs();
  expect(environment).toMatchObject({ SUPABASE_URL: "http://127.0.0.1:1", STUDIO_LOCAL: "1" });
  expect(environment).not.toHaveProperty("SWITCHYARD_FUNCTIONS_TOKEN");
  expect(environment).not.toHaveProperty("HOME");
  expect(environment).not.toHaveProperty("npm_config_registry");
});

test("functions may not read outside the project, write, or start programs", async () => {
  expect(await (await fetch(`${url}/access`)).json()).toEqual({
    readOutside: "NotCapable",
    readData: "NotCapable",
    write: "NotCapable",
    run: "NotCapable",
  });
});

test("Deno.serve may be called with options", async () => {
  expect(await (await fetch(`${url}/with-options`)).text()).toBe("from options");
});

test("unknown and shared folders are no functions; one that fails to load does not take the others along", async () => {
  expect((await fetch(`${url}/nothing`)).status).toBe(404);
  expect((await fetch(`${url}/_shared`)).status).toBe(404);
  expect((await fetch(`${url}/broken-import`)).status).toBe(503);
  expect(log.join("\n")).toContain("The edge function broken-import cannot be loaded");
});

test("a function that throws answers 500 without saying what it threw", async () => {
  const response = await fetch(`${url}/throws`);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("inside");
});

test("bodies stream in both directions, chunk by chunk", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const init = { method: "POST", body: readable, duplex: "half" };
  const pending = fetch(`${url}/stream`, init);
  await writer.write(new TextEncoder().encode("first"));
  const reader = (await pending).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("FIRST");
  await writer.write(new TextEncoder().encode("second"));
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("SECOND");
  // Deno before 2.9.6 does not end an answer whose request ended after it, so this one is broken off.
  await reader?.cancel();
  await writer.abort().catch(() => undefined);
});

test("S56 when the caller goes away, the function is told", async () => {
  const before = Number(await (await fetch(`${url}/stream/aborted`)).text());
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const leaving = new AbortController();
  const init = { method: "POST", body: readable, duplex: "half", signal: leaving.signal };
  const pending = fetch(`${url}/stream`, init);
  await writer.write(new TextEncoder().encode("x"));
  await (await pending).body?.getReader().read();
  leaving.abort();
  await expect.poll(async () => Number(await (await fetch(`${url}/stream/aborted`)).text())).toBe(before + 1);
});

test("only the stack may call the functions' own port", async () => {
  const call = functions.find("echo")?.begin();
  const { origin } = (await call?.address) ?? { origin: "" };
  expect((await fetch(`${origin}/echo`)).status).toBe(403);
  expect((await fetch(`${origin}/echo`, { headers: { "x-switchyard-functions-token": "guess" } })).status).toBe(403);
});

const stateOf = (name: string) => functions.statuses().find((one) => one.name === name);
const processOf = async (name: string) => {
  const call = functions.find(name)?.begin();
  call?.end();
  return (await call?.address)?.origin;
};

test("S63 a function that crashes is told to its caller, and starts again however often it crashes", async () => {
  const other = await processOf("echo");
  for (let round = 0; round < 8; round += 1) {
    await expect.poll(async () => (await fetch(`${url}/crash/ok`)).status).toBe(200);
    const crashed = await fetch(`${url}/crash`);
    expect(crashed.status).toBe(503);
    expect(Number(crashed.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await crashed.json()).error).toMatchObject({
      code: "internal",
      message: expect.stringContaining("crash stopped before it answered"),
      retryable: false,
    });
    await expect.poll(() => stateOf("crash")?.restarts).toBe(round + 1);
  }
  expect(log.filter((line) => line.includes("function crash has stopped (exit code 3)"))).toHaveLength(8);
  // The other function's process is the one that it was.
  expect(await processOf("echo")).toBe(other);
  expect(stateOf("echo")).toMatchObject({ restarts: 0 });
});

test("S63 a function that hangs is killed and starts again, while others answer", async () => {
  expect((await fetch(`${url}/hang/ok`)).status).toBe(200);
  const hung = fetch(`${url}/hang`);
  expect((await fetch(`${url}/echo`)).status).toBe(201);
  expect((await hung).status).toBe(503);
  await expect.poll(() => log.join("\n")).toContain("function hang has stopped (it did not respond)");
  await expect.poll(async () => (await fetch(`${url}/hang/ok`)).status).toBe(200);
});

test("S63 a function that runs out of memory ends alone", async () => {
  const other = await processOf("echo");
  expect((await fetch(`${url}/fill`)).status).toBe(503);
  await expect.poll(() => stateOf("fill")?.restarts).toBe(1);
  expect(await processOf("echo")).toBe(other);
});

test("a function that nobody calls any more ends until it is called again; one that is kept warm does not", async () => {
  expect((await fetch(`${url}/with-options`)).status).toBe(200);
  await expect
    .poll(() => stateOf("with-options"))
    .toEqual({
      name: "with-options",
      state: "idle",
      restarts: 0,
    });
  expect((await fetch(`${url}/with-options`)).status).toBe(200);
  expect(stateOf("stream")?.state).toBe("running");
});

test("S63 a function that does not even start is given up on in time, and tried again", async () => {
  const alone = startFunctions({
    projectRoot: fileURLToPath(new URL("../../..", import.meta.url)),
    folder,
    cache: join(root, "cache"),
    dataRoot: join(root, "data"),
    environment: {},
    limits: { startMs: 500, pausesMs: [60_000] },
    log: () => undefined,
  });
  try {
    const call = alone.find("never")?.begin();
    await expect(call?.address).rejects.toMatchObject({ name: "FunctionDown", retryAfter: 60 });
    const again = alone.find("never")?.begin();
    await expect(again?.address).rejects.toMatchObject({ message: expect.stringContaining("about to start again") });
    expect(alone.statuses()).toContainEqual({ name: "never", state: "waiting", restarts: 1, retryAfter: 60 });
  } finally {
    await alone.stop();
  }
});
