import { afterEach, beforeAll, expect, test } from "vitest";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../../local/testing/shared-stack.ts";
import { saveTestCredential } from "../_shared/testing/call-function.ts";
import { type RawServer, startRawServer } from "../_shared/testing/raw-server.ts";

let stack: SharedStack;
let user: SignedIn;
let server: RawServer;

beforeAll(async () => {
  stack = await sharedTestStack();
  user = await signUp(stack);
});
afterEach(() => server.stop());

/** Asks a model server that answers every request with these lines and leaves the connection open. */
async function ask(...lines: string[]): Promise<Response> {
  server = await startRawServer((socket) => socket.write(lines.join("\r\n")));
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  const draft = { type: "openai-compatible", fields: { baseUrl, apiKey: "test-key-odd-answers" } };
  const credential = await saveTestCredential(stack, user.accessToken, draft);
  return fetch(`${stack.url}/functions/v1/llm-proxy/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${user.accessToken}`,
      "content-type": "application/json",
      "x-switchyard-credential": credential,
    },
    body: '{"model":"one"}',
  });
}

test.each(["600 Odd", "999 Odd"])(
  "S8 the status %s is a failure with words, and the connection is closed",
  async (status) => {
    const response = await ask(`HTTP/1.1 ${status}`, "content-length: 100000", "", "data: ");
    expect(response.status).toBe(502);
    expect(response.headers.get("x-switchyard-error")).toBe("1");
    expect(await response.json()).toMatchObject({
      error: { code: "network", message: expect.stringContaining(`the status ${status.slice(0, 3)}, which HTTP does`) },
    });
    await expect.poll(server.open).toBe(0);
  },
);

test("the highest status that HTTP has is passed on with its body", async () => {
  const response = await ask("HTTP/1.1 599 Odd", "content-length: 4", "", "late");
  expect(response.status).toBe(599);
  expect(await response.text()).toBe("late");
  expect(response.headers.has("x-switchyard-error")).toBe(false);
});

test.each([204, 205])("the status %s is passed on without a body, and the connection is closed", async (status) => {
  const response = await ask(`HTTP/1.1 ${status} Empty`, "content-length: 0", "", "");
  expect(response.status).toBe(status);
  expect(await response.text()).toBe("");
  await expect.poll(server.open).toBe(0);
});
