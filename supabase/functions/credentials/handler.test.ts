import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { startTestStack, type TestStack } from "../../local/testing/start-stack.ts";
import { callFunction, saveTestCredential, type FunctionAnswer } from "../_shared/testing/call-function.ts";
import { startLoopbackServer, type LoopbackServer } from "../_shared/testing/loopback-server.ts";

const secret = "test-key-stack-0123456789-abcd";

let stack: TestStack;
let alice: SignedIn;
let bob: SignedIn;
let vendor: LoopbackServer;
let thief: LoopbackServer;
let target: LoopbackServer;
/** Every line that the stack and its functions logged. */
const logged = vi.spyOn(console, "log").mockImplementation(() => undefined);
/** Everything that was answered, to look for the secret in. */
const answers: string[] = [];

beforeAll(async () => {
  vendor = await startLoopbackServer((request, response) => {
    const known = request.headers.authorization === `Bearer ${secret}`;
    response.writeHead(known ? 200 : 401).end(`{"data":[],"echo":"${request.headers.authorization}"}`);
  });
  thief = await startLoopbackServer((_request, response) => response.end("{}"));
  target = await startLoopbackServer((request, response) => response.end(JSON.stringify(request.headers)));
  stack = await startTestStack({ functions: true, allowHosts: target.host });
  [alice, bob] = [await signUp(stack), await signUp(stack)];
});

afterAll(async () => {
  await stack.stop();
  await Promise.all([vendor.stop(), thief.stop(), target.stop()]);
});

async function ask(user: SignedIn, body: unknown, name = "credentials"): Promise<FunctionAnswer> {
  const answer = await callFunction(stack, name, user.accessToken, body);
  answers.push(answer.text, JSON.stringify([...answer.headers]));
  return answer;
}

const baseUrl = (server: LoopbackServer): string => `http://${server.host}/v1`;
const modelDraft = () => ({ type: "openai-compatible", fields: { baseUrl: baseUrl(vendor), apiKey: secret } });

describe("credentials", () => {
  test("saves, shows last four and hosts, tests with a real call, and deletes", async () => {
    const saved = await ask(alice, { action: "save", name: "Mine", ...modelDraft() });
    expect(saved.json).toEqual({
      id: expect.any(String),
      name: "Mine",
      type: "openai-compatible",
      lastFour: "abcd",
      allowedHosts: [vendor.host],
    });
    const { id } = saved.json;
    expect((await ask(alice, { action: "test", id })).json).toMatchObject({ ok: true });
    expect(vendor.seen.at(-1)).toMatchObject({ method: "GET", url: "/v1/models" });
    expect((await ask(alice, { action: "delete", id })).json).toEqual({ id });
    expect((await ask(alice, { action: "test", id })).status).toBe(400);
    expect(await stack.sql("select 1 from private.studio_credential_secrets where credential_id = $1", [id])).toEqual(
      [],
    );
  });

  test("a test says what is wrong with a key", async () => {
    const fields = { baseUrl: baseUrl(vendor), apiKey: "test-key-wrong-000000" };
    const id = await saveTestCredential(stack, alice.accessToken, { type: "openai-compatible", fields });
    const answer = await ask(alice, { action: "test", id });
    expect(answer.json).toMatchObject({ ok: false, message: expect.stringContaining("401"), hint: expect.any(String) });
  });

  test("stores a new credential that is to be tested only if it works, and names the field that is to blame", async () => {
    const save = (fields: Record<string, string>) =>
      ask(alice, { action: "save", test: true, name: "Tried", type: "openai-compatible", fields });
    const key = await save({ baseUrl: baseUrl(vendor), apiKey: "test-key-wrong-111111" });
    expect(key.json).toEqual({ unsaved: expect.objectContaining({ ok: false, field: "apiKey" }) });
    const gone = await startLoopbackServer((_request, response) => response.end());
    await gone.stop();
    const nobody = await save({ baseUrl: baseUrl(gone) });
    expect(nobody.json).toEqual({ unsaved: expect.objectContaining({ ok: false, field: "baseUrl" }) });
    expect(await stack.sql("select 1 from public.studio_credentials where name = 'Tried'")).toEqual([]);
    const good = await save({ baseUrl: baseUrl(vendor), apiKey: secret });
    expect(good.json).toMatchObject({ id: expect.any(String), lastFour: "abcd" });
    // A stored one keeps what works until something better does.
    const replace = (apiKey: string) => {
      const { id } = good.json;
      const fields = { baseUrl: baseUrl(vendor), apiKey };
      return ask(alice, { action: "save", test: true, id, name: "Tried", type: "openai-compatible", fields });
    };
    expect((await replace("test-key-wrong-222222")).json).toEqual({
      unsaved: expect.objectContaining({ ok: false, field: "apiKey" }),
    });
    expect((await ask(alice, { action: "test", id: good.json["id"] })).json).toMatchObject({ ok: true });
    expect((await replace(secret)).json).toMatchObject({ id: good.json["id"] });
  });

  test("names the fields that are wrong, never their values", async () => {
    const wrong = { action: "save", name: "x", type: "openai", fields: { apiKey: `${secret}\r\nX: 1`, other: secret } };
    const answer = await ask(alice, wrong);
    expect(answer.status).toBe(400);
    expect(answer.json["error"]).toMatchObject({ code: "invalid_config", message: expect.stringContaining("apiKey") });
  });

  test("an HTTP credential needs hosts, and a short secret shows nothing", async () => {
    const draft = { action: "save", name: "x", type: "http-bearer", fields: { token: "short-secret"[0]?.repeat(8) } };
    expect((await ask(alice, draft)).json["error"]).toMatchObject({ code: "invalid_config" });
    const saved = await ask(alice, { ...draft, allowedHosts: ["API.example.com"] });
    expect(saved.json).toMatchObject({ lastFour: null, allowedHosts: ["api.example.com"] });
  });

  test.each(["http://169.254.169.254/v1", "http://10.0.0.1/v1", "http://redis/v1"])(
    "S1 does not save the base URL %s",
    async (url) => {
      const draft = { action: "save", name: "x", type: "openai", fields: { apiKey: secret, baseUrl: url } };
      const answer = await ask(alice, draft);
      expect(answer.json["error"]).toMatchObject({ code: "blocked_address" });
    },
  );

  test("S44 another base URL with the stored key is refused, and nothing is sent there", async () => {
    const id = await saveTestCredential(stack, alice.accessToken, modelDraft());
    const change = { action: "save", id, name: "x", type: "openai-compatible", fields: { baseUrl: baseUrl(thief) } };
    const refused = await ask(alice, change);
    expect(refused.status).toBe(400);
    expect(refused.json["error"]).toMatchObject({
      code: "invalid_credentials",
      hint: expect.stringContaining("apiKey"),
    });
    expect((await ask(alice, { action: "test", id })).json).toMatchObject({ ok: true });
    expect(thief.connections()).toBe(0);
    const again = await ask(alice, { ...change, fields: { baseUrl: baseUrl(thief), apiKey: "test-key-of-the-thief" } });
    expect(again.json).toMatchObject({ id, allowedHosts: [thief.host], lastFour: "hief" });
  });

  test("S44 more hosts for a stored HTTP secret are refused, a new name alone is not", async () => {
    const draft = { type: "http-bearer", fields: { token: secret }, allowedHosts: ["api.example.com"] };
    const id = await saveTestCredential(stack, alice.accessToken, draft);
    const more = { action: "save", id, name: "x", type: "http-bearer", allowedHosts: ["api.example.com", "evil.com"] };
    expect((await ask(alice, more)).json["error"]).toMatchObject({ code: "invalid_credentials" });
    const renamed = await ask(alice, { action: "save", id, name: "Renamed", type: "http-bearer" });
    expect(renamed.json).toMatchObject({ name: "Renamed", allowedHosts: ["api.example.com"], lastFour: "abcd" });
    const same = await ask(alice, { ...more, name: "Same", allowedHosts: ["api.example.com"] });
    expect(same.json).toMatchObject({ name: "Same" });
  });

  test("an empty field keeps what is stored, null takes it away", async () => {
    const id = await saveTestCredential(stack, alice.accessToken, modelDraft());
    const change = { action: "save", id, name: "x", type: "openai-compatible" };
    expect((await ask(alice, { ...change, fields: { apiKey: "" } })).json).toMatchObject({ lastFour: "abcd" });
    expect((await ask(alice, { ...change, fields: { apiKey: null } })).json).toMatchObject({ lastFour: null });
    expect((await ask(alice, { ...change, fields: { baseUrl: null } })).status).toBe(400);
  });

  test("S37 another user can neither test, change nor delete it", async () => {
    const id = await saveTestCredential(stack, alice.accessToken, modelDraft());
    const tries = [
      { action: "test", id },
      { action: "delete", id },
      { action: "save", id, name: "Stolen", type: "openai-compatible" },
      { action: "save", id, name: "Stolen", ...modelDraft() },
    ];
    for (const body of tries) {
      expect((await ask(bob, body)).json["error"], JSON.stringify(body)).toMatchObject({ code: "invalid_credentials" });
    }
    const http = { url: `http://${target.host}/`, credential: id };
    expect((await ask(bob, http, "execute-http")).json["error"]).toMatchObject({ code: "invalid_credentials" });
    expect((await ask(alice, { action: "test", id })).json).toMatchObject({ ok: true });
  });

  test("S45 a row that was changed or whose ciphertext was swapped opens no more", async () => {
    const first = await saveTestCredential(stack, alice.accessToken, modelDraft());
    const second = await saveTestCredential(stack, alice.accessToken, modelDraft());
    await stack.sql("update public.studio_credentials set allowed_hosts = $1 where id = $2", [[thief.host], first]);
    await stack.sql(
      `update private.studio_credential_secrets set iv = other.iv, ciphertext = other.ciphertext
       from private.studio_credential_secrets as other
       where studio_credential_secrets.credential_id = $1 and other.credential_id = $2`,
      [second, first],
    );
    for (const id of [first, second]) {
      expect((await ask(alice, { action: "test", id })).json).toMatchObject({ ok: false });
      const again = await ask(alice, { action: "save", id, name: "x", ...modelDraft() });
      expect(again.json).toMatchObject({ id, allowedHosts: [vendor.host] });
      expect((await ask(alice, { action: "test", id })).json).toMatchObject({ ok: true });
    }
  });

  test("S46 the secret cannot be read through the API, nor the visible row be written", async () => {
    const id = await saveTestCredential(stack, alice.accessToken, modelDraft());
    const secrets = await alice.client.schema("private").from("studio_credential_secrets").select();
    expect(secrets.error).not.toBeNull();
    const called = await alice.client.rpc("studio_read_credential_secret", { p_id: id, p_owner: alice.userId });
    expect(called.error).not.toBeNull();
    const written = await alice.client
      .from("studio_credentials")
      .update({ allowed_hosts: [thief.host] })
      .eq("id", id);
    expect(written.error).not.toBeNull();
    const { data } = await alice.client.from("studio_credentials").select().eq("id", id);
    expect(data).toHaveLength(1);
    expect(JSON.stringify(data)).not.toContain(secret);
  });

  test("execute-http sends the secret to its host only, and takes it out of the answer", async () => {
    const draft = { type: "http-bearer", fields: { token: secret }, allowedHosts: [target.host] };
    const id = await saveTestCredential(stack, alice.accessToken, draft);
    const answer = await ask(alice, { url: `http://${target.host}/`, credential: id }, "execute-http");
    expect(target.seen.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(answer.json).toMatchObject({ success: true, statusCode: 200, body: expect.stringContaining("[redacted]") });
    for (const url of [`http://${vendor.host}/`, `http://localhost:${target.port}/`, "http://169.254.169.254/"]) {
      const blocked = await ask(alice, { url, credential: id }, "execute-http");
      expect(blocked.json, url).toMatchObject({ success: false, statusCode: 0, error: { code: "blocked_address" } });
    }
    const own = await ask(alice, { url: `${stack.url}/rest/v1/`, credential: id }, "execute-http");
    expect(own.json).toMatchObject({ success: false, error: { code: "blocked_address" } });
  });

  test("S43 the secret is in no file of the data directory", async () => {
    const entries = await readdir(stack.dataDir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(100);
    const found = [];
    for (const file of files) if ((await readFile(file)).includes(secret)) found.push(file);
    expect(found).toEqual([]);
  });

  test("S43 the secret was in no answer and in no log", () => {
    expect(logged.mock.calls.flat().map(String).join()).not.toContain(secret);
    expect(answers.length).toBeGreaterThan(40);
    expect(answers.filter((answer) => answer.includes(secret) || answer.includes(btoa(secret)))).toEqual([]);
  });
});
