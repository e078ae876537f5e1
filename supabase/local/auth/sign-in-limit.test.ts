import { afterAll, describe, expect, test } from "vitest";
import type { SupabaseApi } from "../rest/supabase-api.ts";
import { signUp } from "../testing/clients.ts";
import { startTestStack } from "../testing/start-stack.ts";
import { createPasswordSignIn } from "./password-sign-in.ts";
import { createServiceCalls } from "../functions/service-calls.ts";
import { createSignInLimit, type SignInLimit, type SignInOutcome } from "./sign-in-limit.ts";

const here = "192.0.2.1";
const ann = "ann@example.test";

/** Makes one try; how long it has to wait, 0 when it was taken. */
function attempt(limit: SignInLimit, outcome: SignInOutcome, account = ann, address = here): number {
  const made = limit.begin(address, account);
  if (!made.allowed) return made.waitMs;
  made.end(outcome);
  return 0;
}

function guess(limit: SignInLimit, times: number, account?: string, address?: string): void {
  for (let time = 0; time < times; time += 1) expect(attempt(limit, "wrong", account, address)).toBe(0);
}

describe("S11 guesses of a password", () => {
  test("wait after five wrong ones, and longer with each further one", () => {
    let now = 0;
    const limit = createSignInLimit(() => now);
    guess(limit, 5);
    const pauses: number[] = [];
    for (let time = 0; time < 8; time += 1) {
      const wait = attempt(limit, "wrong");
      pauses.push(wait / 1_000);
      now += wait - 1;
      expect(attempt(limit, "right")).toBe(1);
      now += 1;
      expect(attempt(limit, "wrong")).toBe(0);
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
  });

  test("keep nobody else out, and are the same account in any letters", () => {
    const limit = createSignInLimit(() => 0);
    guess(limit, 5);
    expect(attempt(limit, "right", ann, "192.0.2.2")).toBe(0);
    expect(attempt(limit, "right", "bob@example.test")).toBe(0);
    expect(attempt(limit, "wrong", "ANN@Example.test")).toBeGreaterThan(0);
    expect(attempt(limit, "wrong", ann, `::ffff:${here}`)).toBeGreaterThan(0);
  });

  test("come from one machine although it has many IPv6 addresses", () => {
    const limit = createSignInLimit(() => 0);
    for (const last of [1, 2, 3, 4, 5]) guess(limit, 1, ann, `2001:db8:1:2::${last}`);
    expect(attempt(limit, "wrong", ann, "2001:db8:1:2:ffff::9")).toBeGreaterThan(0);
    expect(attempt(limit, "wrong", ann, "2001:db8:1:3::1")).toBe(0);
  });

  test("are forgotten by the right password and after an hour, not by what judges no password", () => {
    let now = 0;
    const limit = createSignInLimit(() => now);
    guess(limit, 4);
    expect(attempt(limit, "right")).toBe(0);
    guess(limit, 4);
    expect(attempt(limit, "unknown")).toBe(0);
    guess(limit, 1);
    expect(attempt(limit, "wrong")).toBeGreaterThan(0);
    now += 60 * 60_000 + 1;
    guess(limit, 5);
  });

  test("do not pass side by side", () => {
    const limit = createSignInLimit(() => 0);
    const open = Array.from({ length: 50 }, () => limit.begin(here, ann)).filter(({ allowed }) => allowed);
    expect(open).toHaveLength(5);
    for (const made of open) if (made.allowed) made.end("wrong");
    expect(attempt(limit, "wrong")).toBeGreaterThan(0);
  });

  test("S65 are not forgotten for any number of other names or addresses", () => {
    const limit = createSignInLimit(() => 0);
    guess(limit, 5);
    for (let other = 0; other < 20_000; other += 1) {
      const address = `10.${other >> 16}.${(other >> 8) & 255}.${other & 255}`;
      attempt(limit, "wrong", `guess-${other}@example.test`, address);
    }
    expect(attempt(limit, "unknown")).toBeGreaterThan(0);
  });

  test("S65 of one address count across accounts, and a right one of its own does not clear them", () => {
    const limit = createSignInLimit(() => 0);
    for (let account = 0; account < 29; account += 1) attempt(limit, "wrong", `victim-${account}@example.test`);
    expect(attempt(limit, "right", "own@example.test")).toBe(0);
    attempt(limit, "wrong", "victim-29@example.test");
    expect(attempt(limit, "unknown", "victim-30@example.test")).toBeGreaterThan(0);
    expect(attempt(limit, "unknown", "victim-30@example.test", "192.0.2.7")).toBe(0);
  });

  test("S65 from many addresses slow down one account, but not where its owner has signed in", () => {
    const limit = createSignInLimit(() => 0);
    expect(attempt(limit, "right", ann, "192.0.2.7")).toBe(0);
    for (let other = 0; other < 100; other += 1) attempt(limit, "wrong", ann, `198.51.100.${other}`);
    expect(attempt(limit, "unknown", ann, "203.0.113.9")).toBeGreaterThan(0);
    expect(attempt(limit, "unknown", ann, "192.0.2.7")).toBe(0);
  });
});

describe("signing in at the embedded server", async () => {
  const stack = await startTestStack();
  afterAll(() => stack.stop());

  const signIn = (email: string, password: string, path = "token") =>
    fetch(`${stack.url}/auth/v1/${path}?grant_type=password`, {
      method: "POST",
      headers: { apikey: stack.key, "content-type": "application/json" },
      body: JSON.stringify({ email, password }),
    });

  test("S11 refuses guesses of one account, says for how long, and lets all others in", async () => {
    const [known, other] = [await signUp(stack), await signUp(stack)];
    for (let time = 0; time < 5; time += 1) expect((await signIn(known.email, `wrong-${time}`)).status).toBe(400);
    const refused = await signIn(known.email, known.password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(30);
    expect(await refused.json()).toMatchObject({
      error_code: "over_request_rate_limit",
      msg: expect.stringMatching(/Try again in \d+ seconds?\./),
    });
    expect((await signIn(known.email.toUpperCase(), "another", "%74oken")).status).toBe(429);
    expect((await signIn(other.email, other.password)).status).toBe(200);
    // Who is signed in already stays it.
    expect((await known.client.auth.refreshSession()).error).toBeNull();
  });

  test("S11 refuses guesses of an account that is not there in the same words", async () => {
    const email = "nobody@example.test";
    for (let time = 0; time < 5; time += 1) expect((await signIn(email, `wrong-${time}`)).status).toBe(400);
    expect((await signIn(email, "wrong")).status).toBe(429);
  });

  test("S65 a password is compared for an account that is not there as for one that is", async () => {
    const known = await signUp(stack);
    const compared: string[] = [];
    const api: SupabaseApi = async (request) => {
      if (new URL(request.url).pathname === "/auth/v1/token") compared.push((await request.clone().json()).email);
      return fetch(new URL(new URL(request.url).pathname + new URL(request.url).search, stack.url), {
        method: request.method,
        headers: request.headers,
        body: await request.text(),
      });
    };
    const keys = { jwtSecret: stack.jwtSecret, publishableKey: stack.key, secretKey: stack.serviceKey };
    const callAsService = createServiceCalls(api, keys);
    const enter = createPasswordSignIn({ limit: createSignInLimit(), api, callAsService, keys });
    const answers = [];
    for (const email of [known.email, "missing@example.test", "also-missing@example.test"]) {
      const request = new Request(`${stack.url}/auth/v1/token?grant_type=password`, {
        method: "POST",
        headers: { apikey: stack.key, "content-type": "application/json" },
        body: JSON.stringify({ email, password: "not the password" }),
      });
      const response = await enter(request, here);
      answers.push([response.status, await response.json()]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    // Each was compared with the hash of an account that exists.
    const hashes = await stack.sql<{ email: string }>(
      "select email from auth.users where email = any ($1) and encrypted_password like '$2%'",
      [compared],
    );
    expect(new Set(hashes.map(({ email }) => email))).toEqual(new Set(compared));
    expect(compared).toHaveLength(3);
    expect(compared[0]).toBe(known.email);
    expect(compared[1]).toBe(compared[2]);
  });

  test("what is no sign-in passes as before", async () => {
    const bad = await fetch(`${stack.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { apikey: stack.key, "content-type": "application/json" },
      body: "{",
    });
    expect(bad.status).toBe(400);
  });
});
