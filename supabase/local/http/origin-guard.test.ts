import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createOriginGuard } from "./origin-guard.ts";
import { startTestStack } from "../testing/start-stack.ts";

const stack = await startTestStack();
const port = Number(new URL(stack.url).port);
afterAll(() => stack.stop());

/** fetch sets Host and Origin itself, so this goes by node:http. */
function send(path: string, headers: Record<string, string>, method = "GET") {
  return new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, path, method, headers }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() });
      });
      sent.once("error", reject);
      sent.end();
    },
  );
}

const allows = (host: string, header: string) =>
  createOriginGuard({ host, port: 4700 })(new Request("http://placeholder.invalid/", { headers: { host: header } })) ===
  null;

const routes = [
  "/",
  "/rest/v1/studio_workflows",
  "/auth/v1/settings",
  "/functions/v1/execute-http",
  "/.well-known/switchyard",
];

test("S42 names that the operator gave pass at the studio's port and at a proxy's, with their own origins alone", () => {
  const guard = createOriginGuard({ host: "0.0.0.0", port: 4700, names: ["Studio.example.com"] });
  const passes = (host: string, origin?: string) =>
    guard(new Request("http://placeholder.invalid/rest/v1/x", { headers: { host, ...(origin ? { origin } : {}) } })) ===
    null;
  for (const [host, origin] of [
    ["studio.example.com"],
    ["studio.example.com:4700", "http://studio.example.com:4700"],
    ["STUDIO.example.com", "https://studio.example.com"],
    ["127.0.0.1:4700", "https://studio.example.com"],
  ] as const) {
    expect(passes(host, origin), `${host} ${origin}`).toBe(true);
  }
  for (const [host, origin] of [
    ["studio.example.com:8080"],
    ["studio.example.com.evil.example"],
    ["evil.example"],
    ["studio.example.com", "https://evil.example"],
    ["studio.example.com", "https://studio.example.com:8443"],
    ["studio.example.com", "ftp://studio.example.com"],
    ["studio.example.com", "null"],
  ] as const) {
    expect(passes(host, origin), `${host} ${origin}`).toBe(false);
  }
});

test.each(routes)("S42 %s refuses a rebound Host", async (path) => {
  for (const host of [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1",
    "localhost:1",
    `127.0.0.1.evil.example:${port}`,
  ]) {
    expect((await send(path, { host, apikey: stack.key })).status, host).toBe(403);
  }
});

test.each(routes)("S42 %s refuses a foreign Origin, preflight included", async (path) => {
  for (const origin of ["https://evil.example", "null", "http://localhost:1", `https://127.0.0.1:${port}`]) {
    const host = `127.0.0.1:${port}`;
    expect((await send(path, { host, origin, apikey: stack.key })).status, origin).toBe(403);
    const preflight = await send(path, { host, origin, "access-control-request-method": "POST" }, "OPTIONS");
    expect(preflight.status, origin).toBe(403);
    expect(preflight.headers).not.toHaveProperty("access-control-allow-origin");
  }
});

test("S42 own names and own origins pass, and no answer is open to other sites", async () => {
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
    const origin = `http://${host.toLowerCase()}`;
    const answer = await send("/auth/v1/settings", { host, origin, apikey: stack.key });
    expect(answer.status, host).toBe(200);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

test("S42 requests that a browser says come from another site are refused, links to the studio are not", async () => {
  const own = { host: `127.0.0.1:${port}`, apikey: stack.key };
  const crossSite = { ...own, "sec-fetch-site": "cross-site" };
  expect((await send("/auth/v1/settings", crossSite)).status).toBe(403);
  expect((await send("/auth/v1/settings", { ...crossSite, "sec-fetch-mode": "navigate" })).status).toBe(403);
  expect((await send("/", { ...crossSite, "sec-fetch-mode": "no-cors" })).status).toBe(403);
  expect((await send("/", { ...crossSite, "sec-fetch-mode": "navigate" })).status).toBe(503);
  expect((await send("/auth/v1/settings", { ...own, "sec-fetch-site": "same-origin" })).status).toBe(200);
});

test("S42 a request without a Host, or with two, gets nothing", async () => {
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => socket.end(text));
      let answer = "";
      socket.on("data", (chunk) => (answer += chunk.toString()));
      socket.on("close", () => resolve(answer));
      socket.on("error", reject);
    });
  expect(await raw("GET /.well-known/switchyard HTTP/1.0\r\n\r\n")).not.toContain("200 OK");
  const two = `GET /.well-known/switchyard HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
  expect(await raw(two)).not.toContain("200 OK");
});

test("S42 a server that listens on a name or on every address answers to that name and those addresses only", () => {
  expect(allows("studio.lan", "studio.lan:4700")).toBe(true);
  expect(allows("studio.lan", "other.lan:4700")).toBe(false);
  expect(allows("0.0.0.0", "127.0.0.1:4700")).toBe(true);
  expect(allows("0.0.0.0", "evil.example:4700")).toBe(false);
  expect(
    createOriginGuard({ host: "127.0.0.1", port: 80 })(
      new Request("http://x.invalid/", { headers: { host: "localhost" } }),
    ),
  ).toBeNull();
});

test("every answer carries the security headers", async () => {
  for (const path of [...routes, "/nothing/here.png", "/storage/v1/bucket"]) {
    const { headers } = await send(path, { host: `127.0.0.1:${port}`, apikey: stack.key });
    expect(headers["content-security-policy"], path).toContain(
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval';",
    );
    expect(headers["content-security-policy"], path).not.toContain("'unsafe-eval'");
    expect(headers, path).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
  }
});

test("S42 percent signs in a path hide no API from the guard, nor lead past the functions' proxy", async () => {
  const own = { host: `127.0.0.1:${port}`, apikey: stack.key };
  const link = { ...own, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
  for (const path of [
    "/%61uth/v1/settings",
    "/%72est/v1/studio_workflows",
    "/auth/%761/settings",
    "/auth%2Fv1/settings",
    "/%66unctions/v1/execute-http",
  ]) {
    expect((await send(path, link)).status, path).toBe(403);
  }
});

test.each(["/v1/models", "/api/run/answers", "/hooks/answers", "/c-api/answers"])(
  "S42 %s answers other sites, but under no rebound Host and under no other spelling",
  async (path) => {
    const origin = "https://shop.test";
    const host = `127.0.0.1:${port}`;
    expect((await send(path, { host, origin, "sec-fetch-site": "cross-site" })).status).toBe(404);
    expect((await send(path, { host: `shop.test:${port}`, origin })).status).toBe(403);
    expect((await send(`/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`, { host, origin })).status).toBe(403);
  },
);
