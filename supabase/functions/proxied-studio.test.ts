import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signUp, type SignedIn } from "../local/testing/clients.ts";
import { startTestStack, type TestStack } from "../local/testing/start-stack.ts";
import { callFunction, saveTestCredential } from "./_shared/testing/call-function.ts";
import { startLoopbackServer, type LoopbackServer } from "./_shared/testing/loopback-server.ts";
import { startProxyServer, type ProxyTestServer } from "./_shared/testing/proxy-server.ts";
import { createIssuedCertificate } from "./_shared/testing/self-signed-certificate.ts";

const account = "ada:test-key-proxy";
const log: string[] = [];
let folder: string;
let secure: LoopbackServer;
let proxy: ProxyTestServer;
let stack: TestStack;
let user: SignedIn;

beforeAll(async () => {
  const certificate = createIssuedCertificate("api.example.com");
  folder = await mkdtemp(join(tmpdir(), "switchyard-proxy-"));
  await writeFile(join(folder, "authority.pem"), certificate.authority);
  secure = await startLoopbackServer((_request, response) => response.end("hello"), {
    key: certificate.key,
    cert: certificate.cert + certificate.authority,
  });
  proxy = await startProxyServer({ targetPort: secure.port, account });
  const written = `http://${account}@127.0.0.1:${proxy.port}`;
  const environment = { HTTP_PROXY: written, HTTPS_PROXY: written, NO_PROXY: "example.org" };
  // The processes of the functions are started from this one.
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.stubEnv("NODE_EXTRA_CA_CERTS", join(folder, "authority.pem"));
  stack = await startTestStack({ functions: true, environment, log: (line) => log.push(line) });
  user = await signUp(stack);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await stack.stop();
  await Promise.all([secure.stop(), proxy.stop(), rm(folder, { recursive: true })]);
});

test("S3 S9 S43 on Deno every way out leads through the operator's proxy, and the studio's own calls do not", async () => {
  const ask = (url: string) => callFunction(stack, "execute-http", user.accessToken, { url });
  expect((await ask("https://api.example.com/")).json).toMatchObject({ statusCode: 200, body: "hello" });
  const wrong = await ask("https://other.example.com/");
  expect(wrong.json["error"]).toMatchObject({ code: "bad_certificate" });
  expect((await ask("https://203.0.113.7/")).json["error"]).toMatchObject({ code: "blocked_address" });

  const url = "https://api.example.com/mcp";
  const mcp = await saveTestCredential(stack, user.accessToken, { type: "mcp-oauth", fields: { url } });
  const start = { action: "start", credential: mcp, redirectUrl: `${stack.url}/oauth/callback` };
  await callFunction(stack, "mcp-sign-in", user.accessToken, start, { origin: stack.url });
  const key = {
    type: "openai-compatible",
    fields: { baseUrl: "https://api.example.com/v1", apiKey: "test-key-model" },
  };
  const id = await saveTestCredential(stack, user.accessToken, key);
  await callFunction(stack, "credentials", user.accessToken, { action: "test", id });

  expect(proxy.asked.slice(0, 2)).toEqual(["api.example.com:443", "other.example.com:443"]);
  expect(new Set(proxy.asked)).toEqual(new Set(["api.example.com:443", "other.example.com:443"]));
  expect(secure.seen.map((request) => request.url)).toEqual(
    expect.arrayContaining(["/", expect.stringContaining("/mcp"), expect.stringContaining("/v1/models")]),
  );
  expect(log).toContain(`Workflows call the internet through http://127.0.0.1:${proxy.port}, except example.org.`);
  expect(JSON.stringify([log, wrong.text, secure.seen])).not.toContain("test-key-proxy");
});

test("a proxy that cannot be used stops the start, without its password", async () => {
  const environment = { HTTPS_PROXY: "socks5://ada:test-key-proxy@127.0.0.1:1080" };
  const started = startTestStack({ functions: true, environment });
  await expect(started).rejects.toMatchObject({
    name: "StartError",
    message: expect.not.stringContaining("test-key-proxy"),
    hint: expect.stringContaining("Write it as http://"),
  });
});
