import { afterAll, expect, test } from "vitest";
import { createTestClient, signUp } from "../testing/clients.ts";
import { startTestStack } from "../testing/start-stack.ts";

const stack = await startTestStack();
const user = await signUp(stack);
afterAll(() => stack.stop());

const values = {
  p_owner: user.userId,
  p_session: null,
  p_bucket: "lane",
  p_per_minute: 100,
  p_max: 100,
  p_ttl_seconds: 60,
  p_leave: [],
  p_credential: null,
};

const call = (name: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${stack.url}/rest/v1/rpc/${name}`, {
    method: "POST",
    headers: { apikey: stack.serviceKey, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const told = async (response: Response) => ({
  status: response.status,
  type: response.headers.get("content-type"),
  body: await response.text(),
});

test("functions' calls are answered as all calls are, also where the database refuses them", async () => {
  const begun = await call("studio_begin_call", values);
  expect(begun.status).toBe(200);
  expect(begun.headers.get("cache-control")).toBe("no-store");
  expect(await begun.json()).toEqual({ slot: expect.any(String), left: 99, credential: null });
  expect((await call("studio_leave_slots", { p_slots: [] })).status).toBe(204);
  const service = createTestClient({ url: stack.url, key: stack.serviceKey });
  const wrong: [string, object][] = [
    ["studio_begin_call", { ...values, p_per_minute: "many" }],
    ["studio_begin_call", { p_owner: user.userId }],
    ["studio_no_such_function", {}],
  ];
  for (const [name, body] of wrong) {
    const { status, body: text } = await told(await call(name, body));
    const { error, status: expected } = await service.rpc(name, body);
    expect({ status, code: JSON.parse(text).code, message: JSON.parse(text).message }).toEqual({
      status: expected,
      code: error?.code,
      message: error?.message,
    });
  }
});

test("S46 without the secret key nobody takes that way", async () => {
  for (const apikey of ["", stack.key, `${stack.serviceKey}x`]) {
    const response = await call("studio_begin_call", values, { apikey });
    expect(response.status, apikey).toBeGreaterThanOrEqual(400);
    await response.text();
  }
  const asUser = await call("studio_begin_call", values, {
    apikey: stack.key,
    authorization: `Bearer ${user.accessToken}`,
  });
  expect(asUser.status).toBe(403);
});

test("S42 a page of another site is refused with it too", async () => {
  const response = await call("studio_begin_call", values, { origin: "https://evil.test" });
  expect(response.status).toBe(403);
});

test("S62 deep nesting is refused before it is parsed, and large bodies are counted", async () => {
  const deep = `{"p_slots":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
  expect((await call("studio_leave_slots", deep)).status).toBe(400);
  const many = { p_slots: Array.from({ length: 5_000 }, () => crypto.randomUUID()) };
  expect((await call("studio_leave_slots", many)).status).toBe(204);
});
