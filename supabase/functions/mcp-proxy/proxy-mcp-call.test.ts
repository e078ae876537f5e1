import { afterAll, beforeAll, expect, test } from "vitest";
import { startLoopbackServer, type LoopbackServer } from "../_shared/testing/loopback-server.ts";
import { proxyMcpCall } from "./proxy-mcp-call.ts";

const secret = "test-key-mcp-0123456789-abcdef";

let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer((_request, response) => {
    response.writeHead(401, {
      "content-type": "text/plain",
      "www-authenticate": 'Basic realm="Enter your password again"',
      "set-cookie": "session=of-the-server",
      "x-echo": secret,
      "access-control-allow-origin": "*",
      "mcp-session-id": `of-${secret}`,
    });
    response.end(`No: ${secret}`);
  });
});

afterAll(() => server.stop());

test("S43 a server's answer makes the browser ask nothing, keep nothing and read no secret", async () => {
  const url = `http://${server.host}/mcp`;
  const answered = await proxyMcpCall(
    { method: "POST", url: "", headers: new Headers({ cookie: "a=b", "x-other": "c" }), body: null },
    { credential: { type: "mcp", fields: { url, headers: { "x-key": secret } } }, allowedHosts: [server.host] },
    { policy: { allowHosts: [] }, allowLoopback: true },
  );
  if (!answered.ok) throw new Error(answered.error.message);
  const { status, headers } = answered.value;
  expect(status).toBe(401);
  expect(Object.fromEntries(headers)).toEqual({
    "content-type": "text/plain",
    "mcp-session-id": "of-[redacted]",
    "cache-control": "no-store",
  });
  expect(await answered.value.text()).toBe("No: [redacted]");
  expect(server.seen).toMatchObject([{ headers: { "x-key": secret } }]);
  expect(server.seen[0]?.headers).not.toHaveProperty("cookie");
  expect(server.seen[0]?.headers).not.toHaveProperty("x-other");
});
