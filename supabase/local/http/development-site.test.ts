import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startStack } from "../stack.ts";

const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));
// Below the project, as .switchyard is, where Vite serves files.
await mkdir(join(projectRoot, "node_modules", ".cache"), { recursive: true });
const dataDir = await mkdtemp(join(projectRoot, "node_modules", ".cache", "switchyard-dev-"));
const stack = await startStack({
  projectRoot,
  dataDir,
  host: "127.0.0.1",
  port: 0,
  site: "development",
  functions: false,
  allowHosts: "",
  log: () => undefined,
});
afterAll(async () => {
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test("the page comes from its sources, with Vite's client and the configuration", async () => {
  const response = await fetch(`${stack.url}/workflows/1`, { headers: { accept: "text/html" } });
  const html = await response.text();
  expect(html).toContain("/@vite/client");
  expect(html).toContain('id="switchyard-config"');
  expect(html).toContain(stack.keys.publishableKey);
  const policy = response.headers.get("content-security-policy");
  expect(policy).toContain("connect-src 'self' ws:");
  expect(policy).not.toContain("'unsafe-eval'");
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
});

test("the API is on the same origin", async () => {
  const response = await fetch(`${stack.url}/auth/v1/settings`, { headers: { apikey: stack.keys.publishableKey } });
  expect(response.status).toBe(200);
});

/** What the server answers to a WebSocket handshake: 101, another status, or nothing. */
function handshake(path: string, headers: Record<string, string>): Promise<number | "closed"> {
  const { port } = new URL(stack.url);
  return new Promise((resolve) => {
    const sent = request({
      host: "127.0.0.1",
      port,
      path,
      headers: {
        host: `127.0.0.1:${port}`,
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        "sec-websocket-protocol": "vite-hmr",
        ...headers,
      },
    });
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? "closed");
    });
    sent.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? "closed");
    });
    sent.on("error", () => resolve("closed"));
    sent.end();
  });
}

test("S42 hot reload is open to the page and to no other site", async () => {
  const client = await (await fetch(`${stack.url}/@vite/client`)).text();
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1];
  const path = `/?token=${token}`;
  expect(await handshake(path, { origin: stack.url })).toBe(101);
  expect(await handshake(path, { origin: "https://evil.example" })).not.toBe(101);
  expect(await handshake(path, { origin: stack.url, host: "evil.example" })).not.toBe(101);
  expect(await handshake("/", { origin: stack.url })).not.toBe(101);
});

test("S46 the keys are not served, under any of Vite's names for a file", async () => {
  const inside = `/${relative(projectRoot, dataDir)}/keys.json`;
  for (const path of [inside, `/@fs${dataDir}/keys.json`]) {
    for (const query of ["", "?raw", "?url&raw", "?import", "?raw??", "?import&raw"]) {
      const answer = await (await fetch(stack.url + path + query)).text();
      expect(answer, path + query).not.toContain(stack.keys.secretKey);
      expect(answer, path + query).not.toContain(stack.keys.jwtSecret);
    }
  }
});
