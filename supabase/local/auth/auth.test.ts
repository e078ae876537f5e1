import { expect, test } from "vitest";
import { createTestClient, signUp } from "../testing/clients.ts";
import { sharedTestStack } from "../testing/shared-stack.ts";

const stack = await sharedTestStack();

test("a new account works at once, signs out, and signs in again", async () => {
  const { client, email, password, userId } = await signUp(stack);
  expect((await client.auth.getUser()).data.user?.id).toBe(userId);
  expect((await client.auth.signOut()).error).toBeNull();
  expect((await client.auth.getSession()).data.session).toBeNull();
  expect((await client.from("studio_workflows").select()).error?.code).toBe("42501");

  const wrong = await client.auth.signInWithPassword({ email, password: "not the password" });
  expect(wrong.error?.code).toBe("invalid_credentials");
  const again = await client.auth.signInWithPassword({ email, password });
  expect(again.data.user?.id).toBe(userId);
  expect((await client.from("studio_workflows").select()).error).toBeNull();
});

test("a signed-out session is worth nothing to the auth API", async () => {
  const { client, accessToken } = await signUp(stack);
  await client.auth.signOut();
  expect((await createTestClient(stack).auth.getUser(accessToken)).error).not.toBeNull();
});

test("a session is refreshed with its refresh token", async () => {
  const { client, userId } = await signUp(stack);
  const { data, error } = await client.auth.refreshSession();
  expect(error).toBeNull();
  expect(data.user?.id).toBe(userId);
});

test("nobody comes back from a sign-in elsewhere, so that address is not the app's", async () => {
  for (const path of ["callback", "callback?code=x", "callback?error=x&state=y"]) {
    const response = await fetch(`${stack.url}/auth/v1/${path}`, { redirect: "manual" });
    expect([path, response.status]).toEqual([path, 404]);
    expect(response.headers.get("content-type")).toContain("json");
  }
});

test("an account cannot be made twice, nor with a short password", async () => {
  const { email } = await signUp(stack);
  const client = createTestClient(stack);
  expect((await client.auth.signUp({ email, password: "another-password" })).data.session).toBeNull();
  const short = await client.auth.signUp({ email: "short@example.test", password: "short" });
  expect(short.error?.code).toBe("weak_password");
});

test("S11 the API wants a key of this instance and a token that it has signed", async () => {
  const { accessToken } = await signUp(stack);
  const read = (headers: Record<string, string>) =>
    fetch(`${stack.url}/rest/v1/studio_workflows`, { headers }).then((response) => response.status);
  const [header, , signature] = accessToken.split(".");
  const claims = Buffer.from(JSON.stringify({ role: "service_role", exp: 9_999_999_999 })).toString("base64url");
  const forged = `${header}.${claims}.${signature}`;
  expect(await read({})).toBe(401);
  expect(await read({ apikey: "sb_publishable_of-another-project" })).toBe(401);
  expect(await read({ authorization: `Bearer ${accessToken}` })).toBe(401);
  expect(await read({ apikey: stack.key, authorization: `Bearer ${forged}` })).toBe(401);
  expect(await read({ apikey: stack.key, authorization: `Bearer ${accessToken}` })).toBe(200);
});

test("the service role's key reads past row level security", async () => {
  const { client, userId } = await signUp(stack);
  await client.from("studio_workflows").insert({ name: "Seen by the service role", document: {} });
  const service = createTestClient({ url: stack.url, key: stack.serviceKey });
  const { data } = await service.from("studio_workflows").select("name").eq("owner", userId);
  expect(data).toEqual([{ name: "Seen by the service role" }]);
});

test("keys and data are readable by their owner alone", async () => {
  const { stat } = await import("node:fs/promises");
  expect((await stat(stack.dataDir)).mode & 0o777).toBe(0o700);
  expect((await stat(`${stack.dataDir}/keys.json`)).mode & 0o777).toBe(0o600);
  expect((await stat(`${stack.dataDir}/instance.json`)).mode & 0o777).toBe(0o600);
});

test.each(["otp", "magiclink", "recover", "reco%76er", "resend", "verify", "reauthenticate", "%76erify"])(
  "S11 nobody gets into an account by /%s, whose codes could be guessed",
  async (path) => {
    const { email, accessToken } = await signUp(stack);
    const codeOf = () => stack.sql("select recovery_token from auth.users where email = $1", [email]);
    const headers = {
      apikey: stack.key,
      "content-type": "application/json",
      ...(path === "reauthenticate" ? { authorization: `Bearer ${accessToken}` } : {}),
    };
    const body = JSON.stringify({ email, type: "recovery", token: "000000" });
    const answer = await fetch(`${stack.url}/auth/v1/${path}`, { method: "POST", headers, body });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ error_code: "email_provider_disabled" });
    expect(await codeOf()).toEqual([{ recovery_token: null }]);
  },
);
