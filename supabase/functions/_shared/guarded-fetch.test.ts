import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { success } from "./failure.ts";
import { guardedFetch, guardedStream, type AttachSecret, type GuardOptions } from "./guarded-fetch.ts";
import { parseHostList } from "./host-list.ts";
import { checkTarget, permittedAddresses } from "./target-policy.ts";
import { startLoopbackServer, type LoopbackServer } from "./testing/loopback-server.ts";
import { createSelfSignedCertificate } from "./testing/self-signed-certificate.ts";

const mib = 1024 * 1024;

let server: LoopbackServer;
let other: LoopbackServer;

beforeAll(async () => {
  other = await startLoopbackServer((_request, response) => response.end("other"));
  server = await startLoopbackServer((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    switch (url.pathname) {
      case "/endless": {
        const piece = Buffer.alloc(64 * 1024, "x");
        const write = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on("drain", write);
        return write();
      }
      case "/slow":
        return void response.write("the beginning");
      case "/silent":
        return;
      case "/bomb":
        return void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(200 * mib)));
      case "/double-bomb":
        return void response
          .writeHead(200, { "content-encoding": "gzip, br" })
          .end(brotliCompressSync(gzipSync(Buffer.alloc(50 * mib))));
      case "/nested":
        return void response.writeHead(200, { "content-encoding": "gzip, gzip, gzip" }).end("x");
      case "/gzip":
        return void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("a compressed text"));
      case "/not-gzip":
        return void response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip at all");
      case "/cut":
        response.writeHead(200, { "content-length": "1000" });
        return void response.write("a part", () => response.destroy());
      case "/big-headers":
        return void response.writeHead(200, { "x-big": "x".repeat(200_000) }).end();
      case "/to":
        return void response
          .writeHead(Number(url.searchParams.get("status")), { location: url.searchParams.get("url") ?? "" })
          .end();
      default:
        return void response.end("hello");
    }
  });
});

afterAll(() => Promise.all([server.stop(), other.stop()]));

const both = (): GuardOptions => ({ allowHosts: parseHostList(`${server.host},${other.host}`).list });
const at = (path: string): string => `http://${server.host}${path}`;

const to = (status: number, url: string): string => at(`/to?${new URLSearchParams({ status: String(status), url })}`);

const attachKey: AttachSecret = async () => success({ headers: { authorization: "Bearer test-key-1234" } });

describe("S8 bodies", () => {
  test("S8 an endless body is cut at 5 MiB", async () => {
    const result = await guardedFetch({ url: at("/endless") }, both());
    expect(result.ok && result.value.body.byteLength).toBe(5 * mib);
    expect(result.ok && result.value.truncated).toBe(true);
  });

  test.each(["/bomb", "/double-bomb"])("S8 the compressed bomb %s is cut by its decoded size", async (path) => {
    const result = await guardedFetch({ url: at(path) }, { ...both(), maxBytes: mib });
    expect(result.ok && [result.value.body.byteLength, result.value.truncated]).toEqual([mib, true]);
  });

  test("S8 a body that stops in the middle is cut when the time is over", async () => {
    const result = await guardedFetch({ url: at("/slow") }, { ...both(), timeoutMs: 2_000 });
    expect(result.ok && [new TextDecoder().decode(result.value.body), result.value.truncated]).toEqual([
      "the beginning",
      true,
    ]);
  });

  test("S8 a server that never answers is a timeout", async () => {
    const result = await guardedFetch({ url: at("/silent") }, { ...both(), timeoutMs: 200 });
    expect(result).toMatchObject({ ok: false, error: { code: "timeout", retryable: true } });
  });

  test.each(["/cut", "/not-gzip", "/nested"])("S8 the broken body %s is a network error", async (path) => {
    const result = await guardedFetch({ url: at(path) }, both());
    expect(result).toMatchObject({ ok: false, error: { code: "network" } });
  });

  test("S8 headers without end are refused", async () => {
    const result = await guardedFetch({ url: at("/big-headers") }, both());
    expect(result).toMatchObject({ ok: false, error: { code: "too_large" } });
  });

  test("a compressed body arrives decoded", async () => {
    const result = await guardedFetch({ url: at("/gzip") }, both());
    expect(result.ok && new TextDecoder().decode(result.value.body)).toBe("a compressed text");
  });
});

describe("S7 headers", () => {
  const forbidden = [
    "Host",
    "Transfer-Encoding",
    "Connection",
    "X-Forwarded-For",
    "x-forwarded-host",
    "Content-Length",
  ];
  test.each([...forbidden, "Upgrade", "Proxy-Authorization", "Metadata-Flavor"])("S7 refuses %s", async (name) => {
    const before = server.connections();
    const result = await guardedFetch({ url: at("/"), headers: { [name]: "x" } }, both());
    expect(result).toMatchObject({ ok: false, error: { code: "invalid_header" } });
    expect(server.connections()).toBe(before);
  });

  test.each(["a\r\nX-Injected: 1", "a\nb", "a\0b", "snow ☃"])("S7 refuses the value %j", async (value) => {
    const result = await guardedFetch({ url: at("/"), headers: { "x-value": value } }, both());
    expect(result).toMatchObject({ ok: false, error: { code: "invalid_header" } });
  });

  test("S7 refuses a name with a line break", async () => {
    const result = await guardedFetch({ url: at("/"), headers: { "x\r\ny": "1" } }, both());
    expect(result).toMatchObject({ ok: false, error: { code: "invalid_header" } });
  });

  test("S7 a line break in the URL never reaches the wire", async () => {
    await guardedFetch({ url: at("/a\r\nX-Injected: 1") }, both());
    expect(server.seen.at(-1)?.headers).not.toHaveProperty("x-injected");
  });
});

describe("S4 redirects", () => {
  test("S4 across origins, credentials, cookies and own headers stay behind", async () => {
    const headers = { cookie: "a=1", "x-api-key": "test-key-own", accept: "text/plain", authorization: "Bearer own" };
    const result = await guardedFetch(
      { url: to(302, `http://${other.host}/there`), headers },
      { ...both(), attach: attachKey },
    );
    expect(result.ok && result.value.status).toBe(200);
    expect(server.seen.at(-1)?.headers).toMatchObject({ authorization: "Bearer test-key-1234", cookie: "a=1" });
    const arrived = other.seen.at(-1)?.headers ?? {};
    expect(arrived.accept).toBe("text/plain");
    for (const name of ["authorization", "cookie", "x-api-key"]) expect(arrived).not.toHaveProperty(name);
  });

  test("S4 a secret that was dropped stays dropped when the way leads back", async () => {
    const relay = await startLoopbackServer((_request, response) =>
      response.writeHead(302, { location: to(302, "/back") }).end(),
    );
    const allowHosts = parseHostList(`${server.host},${relay.host}`).list;
    await guardedFetch({ url: to(302, `http://${relay.host}/`) }, { allowHosts, attach: attachKey });
    await relay.stop();
    expect(server.seen.at(-1)?.url).toBe("/back");
    expect(server.seen.at(-1)?.headers).not.toHaveProperty("authorization");
  });

  test.each([307, 308])("S4 a body is not sent on to another origin by %i", async (status) => {
    const before = other.connections();
    const url = to(status, `http://${other.host}/`);
    const result = await guardedFetch({ url, method: "POST", body: "private" }, both());
    expect(result).toMatchObject({ ok: false, error: { code: "redirect_refused" } });
    expect(other.connections()).toBe(before);
  });

  test("a POST becomes a GET without body by 303, and keeps its body on the same origin by 307", async () => {
    await guardedFetch({ url: to(303, "/there"), method: "POST", body: "text" }, both());
    expect(server.seen.at(-1)).toMatchObject({ method: "GET", url: "/there", body: "" });
    await guardedFetch({ url: to(307, "/there"), method: "POST", body: "text" }, both());
    expect(server.seen.at(-1)).toMatchObject({ method: "POST", url: "/there", body: "text" });
  });

  test("each hop is looked up and checked again", async () => {
    const result = await guardedFetch(
      { url: to(302, `http://inside.example.test:${other.port}/`) },
      { ...both(), resolve: async () => ["127.0.0.1"] },
    );
    expect(result).toMatchObject({ ok: false, error: { code: "blocked_address" } });
  });

  test("redirects can be turned off and limited", async () => {
    const off = await guardedFetch({ url: to(302, "/there") }, { ...both(), followRedirects: false });
    expect(off.ok && [off.value.status, off.value.headers["location"]]).toEqual([302, "/there"]);
    const none = await guardedFetch({ url: to(302, "/there") }, { ...both(), maxRedirects: 0 });
    expect(none).toMatchObject({ ok: false, error: { code: "too_many_redirects" } });
  });
});

describe("S2 mixed answers", () => {
  test("S2 only the public addresses of a name are ever connected to", () => {
    const policy = { allowHosts: [] };
    const target = checkTarget("https://mixed.example.com/", policy);
    if (!target.ok) throw new Error(target.error.message);
    const answers = ["10.0.0.1", "1.1.1.1", "::1", "2606:4700::1111", "169.254.169.254", "::ffff:10.0.0.1"];
    expect(permittedAddresses(target.value, answers, policy)).toEqual(["1.1.1.1", "2606:4700::1111"]);
  });

  test("a name that the operator opened may be private, yet never a metadata service", () => {
    const policy = { allowHosts: parseHostList("db.example.com").list };
    const target = checkTarget("https://db.example.com/", policy);
    if (!target.ok) throw new Error(target.error.message);
    expect(permittedAddresses(target.value, ["10.0.0.1", "169.254.169.254", "fd00:ec2::254"], policy)).toEqual([
      "10.0.0.1",
    ]);
  });
});

describe("S9 certificates", () => {
  test("S9 the name that is verified is the URL's, though the address was chosen before", async () => {
    const certificate = createSelfSignedCertificate("good.example.test");
    const secure = await startLoopbackServer((_request, response) => response.end("hello"), certificate);
    const folder = await mkdtemp(join(tmpdir(), "switchyard-certificate-"));
    await writeFile(join(folder, "authority.pem"), certificate.cert);
    const script = `
      import { guardedFetch } from ${JSON.stringify(new URL("guarded-fetch.ts", import.meta.url).href)};
      import { parseHostList } from ${JSON.stringify(new URL("host-list.ts", import.meta.url).href)};
      const results = [];
      for (const name of ["good.example.test", "bad.example.test"]) {
        const options = { allowHosts: parseHostList(name).list, resolve: async () => ["127.0.0.1"] };
        const result = await guardedFetch({ url: "https://" + name + ":${secure.port}/" }, options);
        results.push(result.ok ? result.value.status : result.error.code);
      }
      console.log(JSON.stringify(results));`;
    await writeFile(join(folder, "script.mjs"), script);
    const environment = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, "authority.pem") };
    const node = ["--import", import.meta.resolve("tsx"), join(folder, "script.mjs")];
    const { stdout } = await promisify(execFile)(process.execPath, node, { env: environment });
    await rm(folder, { recursive: true });
    await secure.stop();
    expect(JSON.parse(stdout)).toEqual([200, "bad_certificate"]);
  });
});

describe("guardedStream", () => {
  test("passes pieces on as they come and closes the connection when it is cancelled", async () => {
    let closed = false;
    const live = await startLoopbackServer((_request, response) => {
      response.on("close", () => (closed = true));
      response.write("one");
    });
    const opened = await guardedStream({ url: `http://${live.host}/` }, { allowHosts: parseHostList(live.host).list });
    if (!opened.ok) throw new Error(opened.error.message);
    const reader = opened.value.body.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("one");
    await reader.cancel();
    await expect.poll(() => closed).toBe(true);
    await live.stop();
  });

  test("a connection that breaks before anyone reads is told to the reader and ends nothing else", async () => {
    for (const path of ["/cut", "/not-gzip", "/slow"]) {
      const controller = new AbortController();
      const opened = await guardedStream({ url: at(path) }, { ...both(), signal: controller.signal });
      if (!opened.ok) throw new Error(opened.error.message);
      controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await expect(new Response(opened.value.body).text(), path).rejects.toThrow("cancelled");
    }
  });

  test("breaks when nothing comes for too long, and when too much comes", async () => {
    const idle = await guardedStream({ url: at("/slow") }, { ...both(), idleTimeoutMs: 1_000 });
    if (!idle.ok) throw new Error(idle.error.message);
    await expect(new Response(idle.value.body).text()).rejects.toThrow("in time");
    const endless = await guardedStream({ url: at("/endless") }, { ...both(), maxBytes: mib });
    if (!endless.ok) throw new Error(endless.error.message);
    await expect(new Response(endless.value.body).text()).rejects.toThrow("limit");
  });
});
