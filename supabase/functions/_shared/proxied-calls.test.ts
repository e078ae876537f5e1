import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testCredential } from "../credentials/test-credential.ts";
import { createConnectionPool } from "./connection-pool.ts";
import { targetPolicy } from "./endpoint.ts";
import { readEnvironment } from "./function-environment.ts";
import { guardedFetch, type GuardOptions } from "./guarded-fetch.ts";
import { parseHostList } from "./host-list.ts";
import { type OutboundProxies, readProxies } from "./outbound-proxy.ts";
import { startLoopbackServer, type LoopbackServer } from "./testing/loopback-server.ts";
import { startProxyServer, type ProxyTestServer } from "./testing/proxy-server.ts";
import { createSelfSignedCertificate } from "./testing/self-signed-certificate.ts";
import { waysOut } from "./testing/ways-out.ts";

const account = "ada:test-key-proxy";
const isPublic = async (): Promise<string[]> => ["1.1.1.1"];
const isUnknown = async (): Promise<string[]> => {
  throw new Error("getaddrinfo ENOTFOUND");
};

let target: LoopbackServer;
let proxy: ProxyTestServer;

beforeAll(async () => {
  target = await startLoopbackServer((request, response) => {
    const location = new URL(request.url ?? "", "http://x").searchParams.get("to");
    if (location === null) response.end("hello");
    else response.writeHead(302, { location }).end();
  });
  proxy = await startProxyServer({
    targetPort: target.port,
    account,
    answer: (authority) => {
      if (authority.startsWith("silent.")) return "silent";
      return Number(/^status-(\d+)\./.exec(authority)?.[1] ?? 0) || null;
    },
  });
});

afterAll(() => Promise.all([target.stop(), proxy.stop()]));

beforeEach(() => {
  proxy.asked.length = 0;
});

/** Proxies as an operator names them. */
function through(written = `http://${account}@127.0.0.1:${proxy.port}`, noProxy = ""): OutboundProxies {
  const proxies = readProxies({ STUDIO_HTTP_PROXY: written, STUDIO_HTTPS_PROXY: written, STUDIO_NO_PROXY: noProxy });
  if (proxies === undefined) throw new Error("no proxy was read");
  return proxies;
}

const call = (url: string, options: Partial<GuardOptions> = {}) =>
  guardedFetch({ url }, { allowHosts: [], proxies: through(), resolve: isPublic, ...options });

describe.each(waysOut)("$name through the operator's proxy", ({ call: callOut }) => {
  test("a public name is called by one tunnel, and nothing is sent before TLS is agreed on in it", async () => {
    const before = target.seen.length;
    const { error } = await callOut("https://api.example.com", { proxies: through(), resolve: isPublic });
    expect(error?.code).toBe("bad_certificate");
    expect(proxy.asked).toEqual(["api.example.com:443"]);
    expect(target.seen).toHaveLength(before);
  });

  test.each([
    ["S1 a private address", "http://10.0.0.1", isPublic],
    ["S1 this machine", "http://127.0.0.1", isPublic],
    ["S1 a public address without a name", "http://1.1.1.1", isPublic],
    ["S6 a private name", "http://printer.local", isPublic],
    ["S2 a name with a private answer", "http://inside.example.com", async () => ["10.0.0.1"]],
    ["S2 a name with mixed answers", "http://mixed.example.com", async () => ["1.1.1.1", "169.254.169.254"]],
  ])("%s is refused before the proxy is asked", async (_what, base, resolve) => {
    const { error } = await callOut(base, { proxies: through(), resolve });
    expect(error?.code).toBe("blocked_address");
    expect(proxy.asked).toEqual([]);
  });
});

test("every function takes the operator's proxy from its environment", () => {
  const environment = readEnvironment({
    SUPABASE_URL: "http://127.0.0.1:1",
    SUPABASE_ANON_KEY: "test-key-anon",
    SUPABASE_SERVICE_ROLE_KEY: "test-key-service",
    STUDIO_HTTPS_PROXY: "proxy.example:3128",
  });
  expect(targetPolicy(environment).proxies).toMatchObject({
    http: null,
    https: { origin: "http://proxy.example:3128" },
  });
});

test("a name that this machine cannot look up is left to the proxy", async () => {
  expect(await call("http://api.example.com/", { resolve: isUnknown })).toMatchObject({ ok: true });
  expect(proxy.asked).toEqual(["api.example.com:80"]);
  expect(target.seen.at(-1)?.headers).toMatchObject({ host: "api.example.com" });
  expect(target.seen.at(-1)?.headers).not.toHaveProperty("proxy-authorization");
});

test("the test of an HTTP credential leaves names to the proxy, and refuses private ones", async () => {
  const credential = { type: "http-bearer", fields: { token: "test-key-bearer" } } as const;
  const tested = (resolve: () => Promise<string[]>) =>
    testCredential(credential, ["api.example.com"], { policy: { allowHosts: [], proxies: through() }, resolve });
  expect(await tested(isUnknown)).toMatchObject({ ok: true });
  expect(await tested(async () => ["1.1.1.1", "10.0.0.1"])).toMatchObject({ ok: false });
});

test("S4 each redirect is checked anew", async () => {
  const resolve = async (name: string) => (name.startsWith("inside") ? ["10.0.0.1"] : ["1.1.1.1"]);
  const to = (url: string) => call(`http://api.example.com/?${new URLSearchParams({ to: url })}`, { resolve });
  expect(await to("http://inside.example.com/")).toMatchObject({ ok: false, error: { code: "blocked_address" } });
  expect(await to("http://127.0.0.1/")).toMatchObject({ ok: false, error: { code: "blocked_address" } });
  expect(await to("http://other.example.com:8080/")).toMatchObject({ ok: true });
  expect(proxy.asked.slice(-2)).toEqual(["api.example.com:80", "other.example.com:8080"]);
});

test("hosts that the operator opened, this machine and NO_PROXY are called directly, and checked as ever", async () => {
  const { host, port } = target;
  const direct = { allowHosts: parseHostList(`${host},named.example.com`).list, resolve: async () => ["127.0.0.1"] };
  expect(await call(`http://${host}/`, direct)).toMatchObject({ ok: true });
  expect(await call(`http://named.example.com:${port}/`, direct)).toMatchObject({ ok: true });
  expect(await call(`http://${host}/`, { allowLoopback: true })).toMatchObject({ ok: true });
  const excepted = { proxies: through(undefined, "example.com"), resolve: async () => ["127.0.0.1"] };
  expect(await call("http://api.example.com/", excepted)).toMatchObject({
    ok: false,
    error: { code: "blocked_address" },
  });
  expect(proxy.asked).toEqual([]);
});

test("a connection through the proxy is kept for the next call", async () => {
  const connections = createConnectionPool().of("user-1", "key-1");
  for (let round = 0; round < 2; round += 1) {
    expect(await call("http://api.example.com/", { connections })).toMatchObject({ ok: true });
  }
  expect(proxy.asked).toEqual(["api.example.com:80"]);
});

test.each([
  ["http://status-403.example.com/", "network", /refused to connect to status-403/, false],
  ["http://status-502.example.com/", "network", /could not reach status-502/, true],
  ["http://silent.example.com/", "timeout", /did not answer in time/, true],
])("%s: the caller is told what the proxy did", async (url, code, message, retryable) => {
  const result = await call(url, { timeoutMs: 300 });
  expect(result).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(message), retryable } });
});

test("S43 a proxy that refuses its account, or is not there, is named without address and password", async () => {
  const gone = await startProxyServer({ targetPort: 1 });
  await gone.stop();
  const wrong = await call("http://api.example.com/", {
    proxies: through(`http://ada:test-key-old@127.0.0.1:${proxy.port}`),
  });
  expect(wrong).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining("user name"), retryable: false },
  });
  const away = await call("http://api.example.com/", { proxies: through(`http://${account}@127.0.0.1:${gone.port}`) });
  expect(away).toMatchObject({ ok: false, error: { message: "The studio's proxy could not be reached." } });
  expect(JSON.stringify([wrong, away])).not.toMatch(/127\.0\.0\.1|test-key/);
});

test("S9 names are verified inside the tunnel and at the proxy, with an authority of the operator's own", async () => {
  const certificate = createSelfSignedCertificate("good.example.test");
  const secure = await startLoopbackServer((_request, response) => response.end("hello"), certificate);
  const tls = await startProxyServer({ targetPort: secure.port, account, tls: certificate });
  const plain = await startProxyServer({ targetPort: secure.port, account });
  const folder = await mkdtemp(join(tmpdir(), "switchyard-proxy-"));
  await writeFile(join(folder, "authority.pem"), certificate.cert);
  const place = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
  const script = `
    import dns from "node:dns";
    dns.lookup = (name, options, done) => done(null, options.all ? [{ address: "127.0.0.1", family: 4 }] : "127.0.0.1", 4);
    const { guardedFetch } = await import(${place("guarded-fetch.ts")});
    const { readProxies } = await import(${place("outbound-proxy.ts")});
    const results = [];
    const proxies = ["http://${account}@127.0.0.1:${plain.port}", "https://${account}@good.example.test:${tls.port}", "https://127.0.0.1:${tls.port}"];
    for (const proxy of proxies) for (const name of ["good.example.test", "bad.example.test"]) {
      const read = readProxies({ STUDIO_HTTP_PROXY: "", STUDIO_HTTPS_PROXY: proxy, STUDIO_NO_PROXY: "" });
      const result = await guardedFetch({ url: "https://" + name }, { allowHosts: [], proxies: read, resolve: async () => ["1.1.1.1"] });
      results.push(result.ok ? result.value.status : result.error.message);
    }
    console.log(JSON.stringify(results));`;
  await writeFile(join(folder, "script.mjs"), script);
  const environment = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, "authority.pem") };
  const node = ["--import", import.meta.resolve("tsx"), join(folder, "script.mjs")];
  const { stdout } = await promisify(execFile)(process.execPath, node, { env: environment });
  await rm(folder, { recursive: true });
  await Promise.all([secure.stop(), tls.stop(), plain.stop()]);
  const bad = "bad.example.test has no valid TLS certificate, so nothing was sent.";
  const badProxy = "The studio's proxy has no valid TLS certificate, so nothing was sent.";
  expect(JSON.parse(stdout)).toEqual([200, bad, 200, bad, badProxy, badProxy]);
});
