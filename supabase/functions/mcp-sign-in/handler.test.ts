import { z } from "zod/mini";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { quietCall } from "../../../src/engine/testing/quiet-call.ts";
import { testHost } from "../../../src/engine/testing/test-host.ts";
import { createMcpFetch } from "../../../src/host/mcp-fetch.ts";
import { openMcpSession, type McpSession } from "../../../src/nodes/tools/mcp/mcp-session.ts";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../../local/testing/shared-stack.ts";
import { callFunction, saveTestCredential } from "../_shared/testing/call-function.ts";
import { startOAuthServer, type OAuthServer } from "../_shared/testing/oauth-server.ts";
import { headerGate, startReferenceServer, type ReferenceServer } from "../_shared/testing/reference-mcp-server.ts";

let stack: SharedStack;
let user: SignedIn;
let server: ReferenceServer;
let oauth: OAuthServer;
let redirectUrl: string;

const signal = () => new AbortController().signal;

beforeAll(async () => {
  stack = await sharedTestStack();
  redirectUrl = `${stack.url}/oauth/callback`;
});

async function start(options: { lifetimeSeconds?: number; onlyClient?: { id: string; redirectUrl: string } } = {}) {
  user = await signUp(stack);
  server = await startReferenceServer({
    allows: ({ authorization }) => oauth.accepts(authorization),
    challenge: () => oauth.challenge(),
  });
  oauth = await startOAuthServer({ resource: server.url, lifetimeSeconds: 3600, ...options });
}

afterEach(async () => {
  await Promise.all([server.stop(), oauth.stop()]);
});

const save = (fields: Record<string, unknown> = {}) =>
  saveTestCredential(stack, user.accessToken, { type: "mcp-oauth", fields: { url: server.url, ...fields } });

const ask = (body: Record<string, unknown>, token = user.accessToken) =>
  callFunction(stack, "mcp-sign-in", token, body, { origin: stack.url });

const begun = z.object({
  authorizationUrl: z.string(),
  state: z.string(),
  pending: z.record(z.string(), z.unknown()),
});

type Begun = z.infer<typeof begun>;

async function begin(credential: string): Promise<Begun> {
  const answer = await ask({ action: "start", credential, redirectUrl });
  expect(answer.status, answer.text).toBe(200);
  return begun.parse(answer.json);
}

/** Goes to the sign-in as a browser does, and reads where it leads back. */
async function agree({ authorizationUrl }: Begun): Promise<{ code: string; state: string }> {
  const response = await fetch(authorizationUrl, { redirect: "manual" });
  const back = new URL(response.headers.get("location") ?? "");
  expect(back.href).toContain(redirectUrl);
  return { code: back.searchParams.get("code") ?? "", state: back.searchParams.get("state") ?? "" };
}

async function signInTo(credential: string): Promise<void> {
  const begun = await begin(credential);
  const answer = await ask({ action: "finish", credential, pending: begun.pending, ...(await agree(begun)) });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json).toEqual({ id: credential });
}

function open(credential: string): Promise<McpSession> {
  const mcpFetch = createMcpFetch({
    functionsUrl: `${stack.url}/functions/v1`,
    publishableKey: stack.key,
    accessToken: () => Promise.resolve(user.accessToken),
  });
  return openMcpSession(testHost({ mcpFetch }), { url: "", credential }, signal());
}

const echo = (session: McpSession) => session.call("echo", { message: "hello" }, quietCall(signal()));

describe("signing in to an MCP server", () => {
  beforeEach(() => start());

  test("the person agrees, and the tools can be used", async () => {
    const credential = await save();
    await expect(open(credential)).rejects.toMatchObject({
      data: { code: "invalid_credentials", hint: expect.stringContaining("Sign in") },
    });
    await signInTo(credential);
    const session = await open(credential);
    expect(await echo(session)).toEqual({ ok: true, output: "Echo: hello" });
    await session.close();
    const tested = await callFunction(stack, "credentials", user.accessToken, { action: "test", id: credential });
    expect(tested.json).toMatchObject({ ok: true });
  });

  test("the studio asks for this resource and the scopes that it names, with PKCE", async () => {
    const { authorizationUrl } = await begin(await save());
    const asked = new URL(authorizationUrl).searchParams;
    expect(asked.get("resource")).toBe(server.url);
    expect(asked.get("scope")).toBe("tools:read tools:call");
    expect(asked.get("code_challenge_method")).toBe("S256");
    const own = new URL((await begin(await save({ scope: "tools:read" }))).authorizationUrl).searchParams;
    expect(own.get("scope")).toBe("tools:read");
  });

  test("S43 no token, code or verifier comes back to the browser", async () => {
    const credential = await save();
    const begun = await begin(credential);
    const agreed = await agree(begun);
    const finished = await ask({ action: "finish", credential, pending: begun.pending, ...agreed });
    const rows = await user.client.from("studio_credentials").select("*");
    expect(rows.data?.length).toBe(1);
    const shown = JSON.stringify([begun, finished.text, rows.data]);
    expect(oauth.given.length).toBeGreaterThan(2);
    for (const secret of oauth.given) expect(shown).not.toContain(secret);
  });

  test("an answer of another sign-in, user or credential is not used", async () => {
    const credential = await save();
    const begun = await begin(credential);
    const agreed = await agree(begun);
    const finish = { action: "finish", credential, pending: begun.pending, ...agreed };
    const refused = { error: expect.objectContaining({ code: "invalid_credentials" }) };
    expect((await ask({ ...finish, state: crypto.randomUUID() })).json).toMatchObject(refused);
    expect((await ask({ ...finish, issuer: "https://elsewhere.example.com" })).json).toMatchObject(refused);
    expect((await ask({ ...finish, credential: await save() })).json).toMatchObject(refused);
    const other = await signUp(stack);
    expect((await ask(finish, other.accessToken)).json).toMatchObject(refused);
    expect((await ask({ ...finish, code: "no-such-code" })).json).toMatchObject({
      error: { code: "invalid_credentials", message: expect.stringContaining("invalid_grant") },
    });
    expect(oauth.asked.code).toBe(0);
    expect((await ask(finish)).status).toBe(200);
  });

  test("S44 who changes the address has to sign in again", async () => {
    const credential = await save();
    await signInTo(credential);
    const fields = { url: server.url.replace("127.0.0.1", "localhost") };
    const change = { action: "save", id: credential, name: "Moved", type: "mcp-oauth", fields };
    expect((await callFunction(stack, "credentials", user.accessToken, change)).status).toBe(200);
    await expect(open(credential)).rejects.toMatchObject({ data: { code: "invalid_credentials" } });
  });

  test("a sign-in cannot be entered by hand", async () => {
    const grant = { accessToken: "test-key-own" };
    const fields = { url: server.url, grant };
    const draft = { action: "save", name: "Own", type: "mcp-oauth", fields };
    const answer = await callFunction(stack, "credentials", user.accessToken, draft);
    expect(answer.json).toMatchObject({ error: { code: "invalid_config" } });
  });

  test("a token that was withdrawn is renewed once, also by calls side by side", async () => {
    const credential = await save();
    await signInTo(credential);
    const session = await open(credential);
    oauth.withdrawTokens();
    const results = await Promise.all([echo(session), echo(session), echo(session)]);
    for (const result of results) expect(result).toEqual({ ok: true, output: "Echo: hello" });
    expect(oauth.asked.refresh).toBe(1);
    await session.close();
  });

  test("an ended sign-in says so", async () => {
    const credential = await save();
    await signInTo(credential);
    oauth.withdrawTokens();
    oauth.endSignIns();
    await expect(open(credential)).rejects.toMatchObject({
      data: { code: "invalid_credentials", message: expect.stringContaining("ended") },
    });
  });

  test("the answer may lead back to the asking site only", async () => {
    const credential = await save();
    const elsewhere = { action: "start", credential, redirectUrl: "https://elsewhere.example.com/oauth/callback" };
    expect((await ask(elsewhere)).json).toMatchObject({ error: { code: "invalid_config" } });
  });

  test("S11 only the owner signs in, and only with a credential of this type", async () => {
    const credential = await save();
    const other = await signUp(stack);
    const start = { action: "start", credential, redirectUrl };
    expect((await ask(start, other.accessToken)).json).toMatchObject({ error: { code: "invalid_credentials" } });
    const key = await saveTestCredential(stack, user.accessToken, { type: "mcp", fields: { url: server.url } });
    expect((await ask({ ...start, credential: key })).json).toMatchObject({ error: { code: "invalid_credentials" } });
  });
});

describe("tokens that end soon", () => {
  test("are renewed before they are used, and the new ones are kept", async () => {
    await start({ lifetimeSeconds: 5 });
    const credential = await save();
    await signInTo(credential);
    for (const count of [1, 2]) {
      const session = await open(credential);
      expect(await echo(session)).toMatchObject({ ok: true });
      expect(oauth.asked.refresh).toBeGreaterThanOrEqual(count);
      await session.close();
    }
    expect(server.seen.every(({ status }) => status !== 401)).toBe(false);
    expect(server.seen.filter(({ status }) => status === 401).length).toBe(1);
  });
});

describe("servers that make it harder", () => {
  test("one without registration wants the client's ID", async () => {
    await start({ onlyClient: { id: "known-client", redirectUrl } });
    const unknown = await ask({ action: "start", credential: await save(), redirectUrl });
    expect(unknown.json).toMatchObject({
      error: { code: "invalid_config", hint: expect.stringContaining("/oauth/callback") },
    });
    const credential = await save({ clientId: "known-client" });
    await signInTo(credential);
    const session = await open(credential);
    expect(await echo(session)).toMatchObject({ ok: true });
    await session.close();
  });

  test("one that asks for no sign-in, and one that does not say where", async () => {
    await start();
    const gate = { allows: () => true };
    const free = await startReferenceServer(gate);
    const silent = await startReferenceServer(headerGate("authorization", "Bearer test-key-only"));
    const refused = async (url: string) =>
      (await ask({ action: "start", credential: await save({ url }), redirectUrl })).json;
    expect(await refused(free.url)).toMatchObject({ error: { message: expect.stringContaining("no sign-in") } });
    expect(await refused(silent.url)).toMatchObject({
      error: { code: "invalid_config", message: expect.stringContaining("where") },
    });
    await Promise.all([free.stop(), silent.stop()]);
  });

  test("S1 a sign-in inside the network is not asked", async () => {
    await start();
    const credential = await save({ url: "http://10.0.0.1/mcp" });
    const answer = await ask({ action: "start", credential, redirectUrl });
    expect(answer.json).toMatchObject({ error: { code: "blocked_address" } });
  });
});
