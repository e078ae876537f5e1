import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod/mini";
import { quietCall } from "../../../src/engine/testing/quiet-call.ts";
import { testHost } from "../../../src/engine/testing/test-host.ts";
import { createMcpFetch } from "../../../src/host/mcp-fetch.ts";
import { openMcpSession } from "../../../src/nodes/tools/mcp/mcp-session.ts";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { callFunction, saveTestCredential } from "../_shared/testing/call-function.ts";
import { type PublicStudio, startPublicStudio } from "./testing/public-studio.ts";
import { startScopedServer, type ScopedServer } from "./testing/scoped-server.ts";

let studio: PublicStudio;
let inner: PublicStudio["inner"];
let user: SignedIn;
let server: ScopedServer;

beforeAll(async () => {
  studio = await startPublicStudio();
  ({ inner } = studio);
});
afterAll(() => studio.stop());
beforeEach(async () => {
  user = await signUp(inner);
});
afterEach(() => server.stop());

type Options = Parameters<typeof startScopedServer>[0];

async function meet(options: Partial<Options>, fields: Record<string, unknown> = {}): Promise<string> {
  server = await startScopedServer({ describes: "all", needs: () => [], ...options });
  return saveTestCredential(inner, user.accessToken, { type: "mcp-oauth", fields: { url: server.url, ...fields } });
}

const ask = (body: Record<string, unknown>, origin = studio.stack.url) =>
  studio.ask("/functions/v1/mcp-sign-in", { body, token: user.accessToken }, origin);
const begin = (credential: string, origin = studio.stack.url) =>
  ask({ action: "start", credential, redirectUrl: `${origin}/oauth/callback` }, origin);

/** Signs in as a person does who agrees. */
async function signIn(credential: string): Promise<void> {
  const begun = await begin(credential);
  expect(begun.status, JSON.stringify(begun.json)).toBe(200);
  const { authorizationUrl, pending } = begun.json;
  const agreed = await fetch(String(authorizationUrl), { redirect: "manual" });
  const back = new URL(agreed.headers.get("location") ?? "").searchParams;
  const answer = { pending, state: back.get("state"), code: back.get("code") };
  const finished = await ask({ action: "finish", credential, ...answer });
  expect(finished.status, JSON.stringify(finished.json)).toBe(200);
}

/** Calls the server's tool, as an agent does. */
async function call(credential: string) {
  const { signal } = new AbortController();
  const mcpFetch = createMcpFetch({
    functionsUrl: `${inner.url}/functions/v1`,
    publishableKey: inner.key,
    accessToken: () => Promise.resolve(user.accessToken),
  });
  const session = await openMcpSession(testHost({ mcpFetch }), { url: "", credential }, signal);
  const result = await session.call("write", {}, quietCall(signal));
  await session.close();
  return result;
}

const settings = async () => (await user.client.from("studio_credentials").select("settings")).data;
const written = { ok: true, output: "Written." };
const refusal = (code: string, words: string) => ({ error: { code, message: expect.stringContaining(words) } });

describe("a server of the version of 2025-03-26", () => {
  test("that describes its authorization server only is signed in to", async () => {
    const credential = await meet({ describes: "server" });
    await signIn(credential);
    expect(await call(credential)).toEqual(written);
  });

  test("that describes nothing is asked at the endpoints of that version", async () => {
    const credential = await meet({ describes: "nothing" });
    await signIn(credential);
    expect(await call(credential)).toEqual(written);
    expect(server.asked("/register")).toHaveLength(1);
    expect(server.asked("/token")).toHaveLength(1);
  });

  test("is not assumed where a resource is described, but not its authorization server", async () => {
    const credential = await meet({ describes: "resource" });
    expect((await begin(credential)).json).toMatchObject(refusal("invalid_config", "where to sign in"));
    expect(server.asked("/register")).toEqual([]);
  });

  test("is not assumed of an address where no MCP server refuses anybody", async () => {
    await meet({ describes: "nothing" });
    const fields = { url: `${server.origin}/elsewhere`, clientId: "typed" };
    const credential = await saveTestCredential(inner, user.accessToken, { type: "mcp-oauth", fields });
    expect((await begin(credential)).json).toMatchObject(refusal("invalid_config", "where to sign in"));
  });
});

describe("a server that greets anybody", () => {
  const needs: Options["needs"] = (method) => (method.startsWith("tools/") ? ["read"] : undefined);

  test("and refuses what comes next says there what it wants", async () => {
    const credential = await meet({ needs });
    await signIn(credential);
    expect(server.scopes()).toEqual(["read"]);
    expect(await call(credential)).toEqual(written);
  });

  test("and answers all else asks for no sign-in", async () => {
    const credential = await meet({ describes: "nothing", needs: () => undefined });
    expect((await begin(credential)).json).toMatchObject(refusal("invalid_config", "no sign-in"));
  });
});

describe("a call that needs more rights than the sign-in asked for", () => {
  const needs: Options["needs"] = (method) => (method === "tools/call" ? ["read", "write"] : ["read"]);

  test("names them, and the next sign-in asks for all", async () => {
    const credential = await meet({ needs });
    await signIn(credential);
    expect(await call(credential)).toMatchObject({
      ok: false,
      error: {
        code: "invalid_credentials",
        message: "The MCP server asks for more permissions: write. Sign in again.",
        hint: expect.stringContaining("Sign in again"),
      },
    });
    expect(await settings()).toEqual([{ settings: { wantedScope: "write" } }]);
    await signIn(credential);
    expect(server.scopes()).toEqual(["read", "read write"]);
    expect(await call(credential)).toEqual(written);
    expect(await settings()).toEqual([{ settings: {} }]);
    await signIn(credential);
    expect(server.scopes().at(-1)).toBe("read write");
  });

  test("asks for them beside the scopes that the person entered", async () => {
    const credential = await meet({ needs: () => ["write"] }, { scope: "own" });
    await signIn(credential);
    await expect(call(credential)).rejects.toMatchObject({ data: { message: expect.stringContaining("write") } });
    await signIn(credential);
    expect(server.scopes()).toEqual(["own", "own write"]);
  });

  test("sends nobody to sign in again for what was asked for already", async () => {
    const credential = await meet({ needs, grants: (asked) => asked.filter((scope) => scope === "read") });
    await signIn(credential);
    await call(credential);
    await signIn(credential);
    const requests = server.seen.length;
    const refused = await call(credential);
    expect(refused).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("although the sign-in asked"), hint: expect.stringContaining("Ask") },
    });
    expect(server.asked("/authorize")).toHaveLength(2);
    expect(await settings()).toEqual([{ settings: {} }]);
    // The session's own requests and one call: nothing is sent twice.
    const sent = server.seen.slice(requests).map(({ body }) => body);
    expect(sent.filter((body) => body.includes("tools/call"))).toHaveLength(1);
  });

  test("S43 shows no token that a server names as a scope", async () => {
    const credential = await meet({ needs });
    await signIn(credential);
    const token = "test-key-access-1-0123456789";
    server.need(() => [token]);
    await expect(call(credential)).rejects.toMatchObject({
      data: { message: expect.stringContaining("does not say which") },
    });
    expect(JSON.stringify(await settings())).not.toContain(token);
  });

  test("S44 is forgotten with the server that asked", async () => {
    const credential = await meet({ needs });
    await signIn(credential);
    await call(credential);
    const fields = { url: "https://elsewhere.example.com/mcp" };
    const change = { action: "save", id: credential, name: "Moved", type: "mcp-oauth", fields };
    expect((await callFunction(inner, "credentials", user.accessToken, change)).status).toBe(200);
    expect(await settings()).toEqual([{ settings: {} }]);
  });

  test("says so to a token that nobody signed in for", async () => {
    await meet({ needs });
    server.grant("test-key-typed-0123456789", ["read"]);
    const headers = { Authorization: "Bearer test-key-typed-0123456789" };
    const typed = { type: "mcp", fields: { url: server.url, headers } };
    const credential = await saveTestCredential(inner, user.accessToken, typed);
    expect(await call(credential)).toMatchObject({
      error: {
        message: "The MCP server asks for more permissions: read, write.",
        hint: expect.stringContaining("token"),
      },
    });
  });
});

describe("a studio with a public https address", () => {
  const description = z.object({ client_id: z.string(), redirect_uris: z.array(z.string()) });

  /** Begins the sign-in at a server that says this of itself, and reads what the person is sent there with. */
  async function beginAt(metadata: object) {
    const begun = await begin(await meet({ metadata }));
    expect(begun.status, JSON.stringify(begun.json)).toBe(200);
    return new URL(String(begun.json["authorizationUrl"])).searchParams;
  }

  test("is known by its document to a server that reads documents and registers nobody", async () => {
    const asked = await beginAt({ client_id_metadata_document_supported: true, registration_endpoint: undefined });
    const id = asked.get("client_id") ?? "";
    expect(id).toBe(`${studio.stack.url}/functions/v1/mcp-sign-in/client-metadata.json`);
    // As the authorization server does: read the document, and compare.
    const { status, json } = await studio.ask(new URL(id).pathname);
    expect(status).toBe(200);
    expect(description.parse(json)).toEqual({ client_id: id, redirect_uris: [asked.get("redirect_uri")] });
  });

  test("registers where it can, since its name may be known at home only", async () => {
    const asked = await beginAt({ client_id_metadata_document_supported: true });
    expect(asked.get("client_id")).toBe("registered");
    expect(server.asked("/register")).toHaveLength(1);
  });

  test("has no such address under a local name, and says what to do", async () => {
    const metadata = { client_id_metadata_document_supported: true, registration_endpoint: undefined };
    const local = studio.stack.url.replace("studio.example.test", "localhost");
    const answer = await begin(await meet({ metadata }), local);
    expect(answer.json).toMatchObject({
      error: { message: expect.stringContaining("public https"), hint: expect.stringContaining("client ID") },
    });
    expect(await studio.ask("/functions/v1/mcp-sign-in/client-metadata.json", undefined, local)).toMatchObject({
      status: 401,
    });
  });
});
