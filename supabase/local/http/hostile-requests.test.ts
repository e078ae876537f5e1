import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp, type SignedIn } from "../testing/clients.ts";
import { beginPost, manyLists } from "../testing/hostile-requests.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";

let stack: TestStack;
let user: SignedIn;

beforeAll(async () => {
  stack = await startTestStack({ functions: true });
  user = await signUp(stack);
});
afterAll(() => stack.stop());

const post = (path: string, body: string, token?: string) =>
  fetch(`${stack.url}${path}`, {
    method: "POST",
    headers: {
      apikey: stack.key,
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
  });

test.each(["execute-http", "sql-tool", "redis-memory", "credentials", "conversations", "mcp-sign-in"])(
  "S62 a body of 1.5 million lists is counted before %s parses it",
  async (name) => {
    const answer = await post(`/functions/v1/${name}`, manyLists(), user.accessToken);
    expect(answer.status).toBe(413);
    const words = { code: "invalid_config", message: expect.stringMatching(/values|larger/), retryable: false };
    expect((await answer.json()).error).toMatchObject(words);
    const status = await (await fetch(`${stack.url}/.well-known/switchyard`)).json();
    expect(status.functions).toContainEqual(expect.objectContaining({ name, state: "running", restarts: 0 }));
  },
);

test("S62 the same as the text of a call that is sent on does not end the function", async () => {
  const body = JSON.stringify({ method: "POST", url: "http://10.0.0.1/", body: manyLists() });
  const answer = await post("/functions/v1/execute-http", body, user.accessToken);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ error: { code: "blocked_address" } });
});

test("S62 the same is counted before the API parses it", async () => {
  const answer = await post("/rest/v1/studio_workflows", manyLists(), user.accessToken);
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining("values"), hint: expect.any(String) });
});

test.each([
  "/rest/v1/studio_workflows",
  "/auth/v1/token?grant_type=password",
  "/functions/v1/llm-proxy/chat/completions",
])("S62 nothing large is received from strangers at %s", async (path) => {
  const posts = Array.from({ length: 25 }, () => beginPost(stack.url, path, { announced: 30_000_000, sent: 1_000 }));
  for (const { socket, answer } of posts) {
    socket.once("data", () => socket.end());
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    expect(text).toContain("invalid_credentials");
  }
});
