import { gzipSync } from "node:zlib";
import { afterEach, beforeAll, expect, test } from "vitest";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../../local/testing/shared-stack.ts";
import { saveTestCredential } from "../_shared/testing/call-function.ts";
import { type RawServer, startRawServer } from "../_shared/testing/raw-server.ts";

// Made before any connection is open: it holds up this process, which serves both ends, for seconds.
const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));

let stack: SharedStack;
let user: SignedIn;
let server: RawServer;

beforeAll(async () => {
  stack = await sharedTestStack();
  user = await signUp(stack);
});
afterEach(() => server.stop());

/** Asks a server through the function that answers every request with these bytes and leaves the connection open. */
async function ask(answer: string | Buffer): Promise<Response> {
  server = await startRawServer((socket) => socket.write(answer));
  const url = `http://127.0.0.1:${server.port}/mcp`;
  const credential = await saveTestCredential(stack, user.accessToken, { type: "mcp", fields: { url } });
  return fetch(`${stack.url}/functions/v1/mcp-proxy`, {
    method: "POST",
    headers: {
      apikey: stack.key,
      authorization: `Bearer ${user.accessToken}`,
      "content-type": "application/json",
      "x-switchyard-credential": credential,
    },
    body: "{}",
  });
}

const head = (status: string, ...lines: string[]) => [`HTTP/1.1 ${status}`, ...lines, "", ""].join("\r\n");

test.each(["600 Odd", "999 Odd"])(
  "S8 the status %s is a failure with words, and the connection is closed",
  async (status) => {
    const response = await ask(head(status, "content-length: 100000"));
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      error: { code: "network", message: expect.stringContaining(status.slice(0, 3)) },
    });
    await expect.poll(server.open).toBe(0);
  },
);

test.each(["204 No Content", "205 Reset Content"])("the status %s passes, without a body", async (status) => {
  const response = await ask(head(status, "content-length: 0"));
  expect(response.status).toBe(Number(status.slice(0, 3)));
  expect(await response.text()).toBe("");
});

test("S4 a redirect to a metadata service is not followed", async () => {
  const response = await ask(head("307 Moved", "location: http://169.254.169.254/latest", "content-length: 0"));
  expect(await response.json()).toMatchObject({ error: { code: "redirect_refused" } });
});

test("S8 a body that unpacks to hundreds of megabytes is cut", async () => {
  const lines = ["content-type: application/json", "content-encoding: gzip", `content-length: ${bomb.length}`];
  const response = await ask(Buffer.concat([Buffer.from(head("200 OK", ...lines)), bomb]));
  await expect(response.text()).rejects.toBeInstanceOf(TypeError);
});
