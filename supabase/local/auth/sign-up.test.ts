import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { createInvite } from "./invites.ts";
import type { SignUpMode } from "./sign-up.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";

const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));

async function tryToSignUp(stack: TestStack, data: object = {}, path = "signup") {
  const email = `${randomUUID()}@example.test`;
  const response = await fetch(`${stack.url}/auth/v1/${path}`, {
    method: "POST",
    headers: { apikey: stack.key, "content-type": "application/json" },
    body: JSON.stringify({ email, password: `test-password-${email}`, data }),
  });
  const { error_code: code } = (await response.json()) as { error_code?: string };
  const users = await stack.sql<{ meta: unknown }>(
    "select raw_user_meta_data as meta from auth.users where email = $1",
    [email],
  );
  expect(users).toHaveLength(response.ok ? 1 : 0);
  return { status: response.status, code, meta: JSON.stringify(users), headers: response.headers };
}

describe("S65 a shared studio", async () => {
  const stack = await startTestStack({ shared: true });
  afterAll(() => stack.stop());

  test("S65 takes nobody without an invite, whatever the spelling", async () => {
    for (const path of ["signup", "%73ignup", "sign%75p"]) {
      expect(await tryToSignUp(stack, {}, path)).toMatchObject({ status: 422, code: "invite_required" });
    }
    for (const path of ["signup/", "/signup", "admin/users", "invite"]) {
      expect((await tryToSignUp(stack, {}, path).catch(() => ({ status: 404 }))).status, path).toBeGreaterThanOrEqual(
        400,
      );
    }
    const other = await createInvite("the secret of another studio", 1);
    const old = await createInvite(stack.jwtSecret, -1);
    for (const invite of [other, old, "", "x.y.z"]) {
      expect(await tryToSignUp(stack, { invite })).toMatchObject({ status: 422, code: "invite_invalid" });
    }
  });

  test("S65 takes one person with an invite, and keeps nothing of it", async () => {
    const invite = await createInvite(stack.jwtSecret, 7);
    const first = await tryToSignUp(stack, { invite, name: "Ada" });
    expect(first.status).toBe(200);
    expect(first.meta).toContain("Ada");
    expect(first.meta).not.toContain("invite");
    expect(await tryToSignUp(stack, { invite })).toMatchObject({ status: 422, code: "invite_invalid" });
  });

  test("S65 an address that no mail server takes is refused in words, and keeps its invite", async () => {
    const invite = await createInvite(stack.jwtSecret, 7);
    const ask = async (account: object) => {
      const response = await fetch(`${stack.url}/auth/v1/signup`, {
        method: "POST",
        headers: { apikey: stack.key, "content-type": "application/json" },
        body: JSON.stringify({ password: "test-password-long", ...account, data: { invite } }),
      });
      return [response.status, await response.text()] as const;
    };
    const long = await ask({ email: `${"a".repeat(300)}@example.test` });
    expect(long).toEqual([400, expect.stringContaining("email_address_invalid")]);
    for (const email of [5, ["a@example.test"], { a: 1 }, "a", "a".repeat(100_000)]) {
      const [status] = await ask({ email });
      expect([email, status >= 400 && status < 500]).toEqual([email, true]);
    }
    expect((await tryToSignUp(stack, { invite })).status).toBe(200);
  });

  test("S65 gives an invite back whose sign-up failed, and lets two at once use it once", async () => {
    const invite = await createInvite(stack.jwtSecret, 7);
    const short = await fetch(`${stack.url}/auth/v1/signup`, {
      method: "POST",
      headers: { apikey: stack.key, "content-type": "application/json" },
      body: JSON.stringify({ email: `${randomUUID()}@example.test`, password: "short", data: { invite } }),
    });
    expect(short.status).toBe(422);
    const both = await Promise.all([tryToSignUp(stack, { invite }), tryToSignUp(stack, { invite })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test("S65 an invite opens no session", async () => {
    const headers = { apikey: stack.key, authorization: `Bearer ${await createInvite(stack.jwtSecret, 7)}` };
    expect((await fetch(`${stack.url}/rest/v1/studio_workflows`, { headers })).status).toBe(401);
  });

  test("S65 `npm run invite` prints a link that works, and says when there is no studio", async () => {
    const run = (data: string) =>
      spawnSync(process.execPath, ["cli/invite.mjs", "--data", data], { cwd: projectRoot, encoding: "utf8" });
    const { stdout } = run(stack.dataDir);
    const [, site, invite] = /^(.*)\/#invite=(\S+)\n$/.exec(stdout) ?? [];
    expect(site).toBe(stack.url);
    const fresh = await startTestStack({ shared: true, dataDir: stack.dataDir }).catch((error: Error) => error.message);
    expect(fresh).toContain("already running");
    expect((await tryToSignUp(stack, { invite })).status).toBe(200);
    const none = run(`${stack.dataDir}-none`);
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining("No instance of Switchyard is running")]);
  });
});

test.each<[SignUpMode, boolean, number]>([
  ["open", true, 200],
  ["closed", true, 422],
  ["closed", false, 422],
])("S65 sign-up can be %s (shared: %s)", async (signUp, shared, status) => {
  const stack = await startTestStack({ signUp, shared });
  try {
    const answer = await tryToSignUp(stack, { invite: await createInvite(stack.jwtSecret, 1) });
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.code).toBe("signup_disabled");
  } finally {
    await stack.stop();
  }
});

test("S65 accounts of one address are limited in a shared studio, guests' as well, and says for how long", async () => {
  const stack = await startTestStack({ signUp: "open", shared: true });
  try {
    for (let time = 0; time < 10; time += 1) expect((await tryToSignUp(stack)).status).toBe(200);
    const refused = await tryToSignUp(stack);
    expect(refused).toMatchObject({ status: 429, code: "over_request_rate_limit" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  } finally {
    await stack.stop();
  }
});
