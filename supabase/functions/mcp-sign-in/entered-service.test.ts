import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { startTestStack, type TestStack } from "../../local/testing/start-stack.ts";
import { callFunction, saveTestCredential } from "../_shared/testing/call-function.ts";
import { startLoopbackServer } from "../_shared/testing/loopback-server.ts";
import {
  client,
  type OAuthTwist,
  startStrictOAuthServer,
  type StrictOAuthServer,
} from "../_shared/testing/strict-oauth-server.ts";

let twist: OAuthTwist = {};
let server: StrictOAuthServer;
let stack: TestStack;
let user: SignedIn;

beforeAll(async () => {
  server = await startStrictOAuthServer({
    get lifetimeSeconds() {
      return twist.lifetimeSeconds ?? 3_600;
    },
    get proof() {
      return twist.proof ?? "body";
    },
    token: (response) => twist.token?.(response) ?? false,
  });
  stack = await startTestStack({ functions: true, allowHosts: server.host });
});
afterAll(async () => {
  await stack.stop();
  await server.stop();
});
beforeEach(async () => {
  user = await signUp(stack);
});
afterEach(() => {
  twist = {};
  server.asked.length = 0;
  server.given.length = 0;
});

const back = () => `${stack.url}/oauth/callback`;
const page = () => `${server.origin}/authorize`;
const tokenUrl = () => `${server.origin}/token`;
const entered = (fields: object = {}) => ({
  authorizationUrl: page(),
  tokenUrl: tokenUrl(),
  clientId: client.id,
  clientSecret: client.secret,
  scope: "mail.read mail.send",
  ...fields,
});
const save = (fields: object = {}, allowedHosts = [server.host]) =>
  saveTestCredential(stack, user.accessToken, { type: "oauth2", fields: entered(fields), allowedHosts });
const ask = (body: Record<string, unknown>) =>
  callFunction(stack, "mcp-sign-in", user.accessToken, body, { origin: stack.url });
const begin = (credential: string) => ask({ action: "start", credential, redirectUrl: back() });
const call = (credential: string, url = `${server.origin}/api`) =>
  callFunction(stack, "execute-http", user.accessToken, { url, credential });

async function signIn(credential: string, answer: Record<string, unknown> = {}) {
  const begun = await begin(credential);
  expect(begun.status, begun.text).toBe(200);
  const { authorizationUrl, pending, state } = begun.json;
  const code = server.agree(String(authorizationUrl), back());
  const finish = () => ask({ action: "finish", credential, pending, state, code, ...answer });
  return { begun, finish, finished: await finish() };
}

const refused = (words: string, code = "invalid_credentials") => ({
  error: { code, message: expect.stringContaining(words) },
});

describe("signing in to a service by OAuth 2", () => {
  test("a person agrees, and requests carry a token that no browser and no answer sees", async () => {
    const credential = await save();
    expect((await call(credential)).json).toMatchObject({
      error: { code: "invalid_credentials", hint: expect.stringContaining("Sign in") },
    });
    const { begun, finished } = await signIn(credential);
    expect(finished.status, finished.text).toBe(200);
    const answer = await call(credential);
    expect(answer.json).toMatchObject({ success: true, statusCode: 200 });
    const rows = await user.client.from("studio_credentials").select("*");
    const shown = JSON.stringify([begun.text, finished.text, answer.text, rows.data]);
    for (const secret of [...server.given.filter((one) => !one.includes("code")), client.secret]) {
      expect(shown).not.toContain(secret);
    }
    const tested = await callFunction(stack, "credentials", user.accessToken, { action: "test", id: credential });
    expect(tested.json).toMatchObject({ ok: true });
  });

  test("the page is asked for the scopes and what the service wants besides, and nothing of the studio's is replaced", async () => {
    const parameters =
      "access_type=offline&prompt=consent&state=mine&redirect_uri=https://evil.example&response_type=token";
    const begun = await begin(await save({ parameters }));
    const asked = new URL(String(begun.json["authorizationUrl"])).searchParams;
    expect(asked.get("scope")).toBe("mail.read mail.send");
    expect(asked.get("access_type")).toBe("offline");
    expect(asked.get("state")).toBe(begun.json["state"]);
    expect(server.agree(String(begun.json["authorizationUrl"]), back())).toContain("test-key-code");
  });

  test("an answer with another state, of another server, or given twice is not used", async () => {
    const credential = await save();
    expect((await signIn(credential, { state: "another" })).finished.json).toMatchObject(refused("does not belong"));
    const elsewhere = { issuer: "https://evil.example" };
    expect((await signIn(credential, elsewhere)).finished.json).toMatchObject(refused("does not belong"));
    expect(server.asked).toEqual([]);
    const own = await signIn(credential, { issuer: `${server.origin}/login/oauth` });
    expect(own.finished.status, own.finished.text).toBe(200);
    expect((await own.finish()).json).toMatchObject(refused("done already"));
    expect(server.asked).toHaveLength(1);
    // A code that is used twice is the server's to refuse; that says no more than its error.
    const first = await signIn(credential);
    const used = server.asked.at(-1)?.get("code");
    const second = await signIn(credential, { code: used });
    expect(first.finished.status).toBe(200);
    expect(second.finished.json).toMatchObject(refused("invalid_grant"));
  });

  test("nobody else can finish it, and changed addresses end it", async () => {
    const credential = await save();
    const begun = await begin(credential);
    const changed = {
      action: "save",
      id: credential,
      name: "Test",
      type: "oauth2",
      fields: entered({ scope: "other" }),
    };
    expect((await callFunction(stack, "credentials", user.accessToken, changed)).status).toBe(200);
    const code = server.agree(String(begun.json["authorizationUrl"]), back());
    const { pending, state } = begun.json;
    const late = await ask({ action: "finish", credential, pending, state, code });
    expect(late.json).toMatchObject(refused("changed since"));
    user = await signUp(stack);
    expect((await ask({ action: "finish", credential, pending, state, code })).status).not.toBe(200);
    expect(server.asked).toEqual([]);
  });

  test.each([
    ["S1 a page inside the network", { authorizationUrl: "http://192.168.1.1/reboot" }],
    ["S1 a token URL inside the network", { tokenUrl: "http://10.0.0.1/token" }],
    ["S1 a token URL of the cloud's metadata", { tokenUrl: "http://169.254.169.254/token" }],
    ["S44 a token URL without encryption", { tokenUrl: "http://example.com/token" }],
  ])("%s is not gone to", async (_case, fields) => {
    const answer = await begin(await save(fields));
    expect(answer.json).toMatchObject(refused("", "blocked_address"));
  });

  test("S4 a token URL that redirects is not followed", async () => {
    const elsewhere = await startLoopbackServer((_request, response) => response.end("{}"));
    twist = {
      token: (response) => {
        response.writeHead(307, { location: `http://${elsewhere.host}/token` }).end();
        return true;
      },
    };
    const { finished } = await signIn(await save());
    expect(finished.status).not.toBe(200);
    expect(elsewhere.connections()).toBe(0);
    await elsewhere.stop();
  });

  test.each<[string, NonNullable<OAuthTwist["token"]>]>([
    [
      "S8 hugely",
      (response) => {
        const piece = "x".repeat(64 * 1024);
        const write = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.writeHead(200, { "content-type": "application/json" }).on("drain", write);
        write();
        return true;
      },
    ],
    ["with no JSON", (response) => Boolean(response.writeHead(200).end("<html>")) || true],
    [
      "with a token of another kind",
      (response) => Boolean(response.writeHead(200).end('{"access_token":"a","token_type":"mac"}')) || true,
    ],
    [
      "with a token that no header carries",
      (response) => Boolean(response.writeHead(200).end('{"access_token":"a\\r\\nb","token_type":"bearer"}')) || true,
    ],
  ])("a token URL that answers %s is an error, and the next sign-in works", async (_case, token) => {
    const credential = await save();
    twist = { token };
    const { finished } = await signIn(credential);
    expect(finished.json).toMatchObject(refused("sign-in server"));
    twist = {};
    expect((await signIn(credential)).finished.status).toBe(200);
  });
});

test("a service that calls its bearer token one of a bot, and separates scopes by commas", async () => {
  const credential = await save({ scope: "chat:write,channels:read" });
  const begun = await begin(credential);
  expect(new URL(String(begun.json["authorizationUrl"])).searchParams.get("scope")).toBe("chat:write,channels:read");
  const token = JSON.stringify({ ok: true, access_token: "test-key-bot", token_type: "bot", scope: "chat:write" });
  twist = { token: (response) => Boolean(response.writeHead(200, { "content-type": "application/json" }).end(token)) };
  const { finished } = await signIn(credential);
  expect(finished.status, finished.text).toBe(200);
  await call(credential);
  const [sent] = server.seen.filter(({ url }) => url === "/api").slice(-1);
  expect(JSON.stringify(sent)).toContain("Bearer test-key-bot");
});

describe("a token", () => {
  test("that has ended is renewed before use, once for all that need it, and the new refresh token is kept", async () => {
    twist = { lifetimeSeconds: 30 };
    const credential = await save();
    await signIn(credential);
    const first = await Promise.all([call(credential), call(credential), call(credential)]);
    for (const { json } of first) expect(json).toMatchObject({ statusCode: 200 });
    const renewals = () => server.asked.filter((form) => form.get("grant_type") === "refresh_token");
    expect(renewals()).toHaveLength(1);
    expect((await call(credential)).json).toMatchObject({ statusCode: 200 });
    expect(renewals()).toHaveLength(2);
    expect(new Set(renewals().map((form) => form.get("refresh_token"))).size).toBe(2);
  });

  test("that the service withdrew is renewed once, and the request sent again", async () => {
    const credential = await save();
    await signIn(credential);
    server.withdraw("access");
    expect((await call(credential)).json).toMatchObject({ statusCode: 200 });
  });

  test("that cannot be renewed any more says what to do", async () => {
    twist = { lifetimeSeconds: 30 };
    const credential = await save();
    await signIn(credential);
    server.withdraw("all");
    expect((await call(credential)).json).toMatchObject({
      error: { ...refused("has ended").error, hint: expect.stringContaining("Sign in again") },
    });
  });

  test("S44 goes to the hosts of the credential alone, and the client secret to the token URL alone", async () => {
    const other = await startLoopbackServer((_request, response) => response.end("{}"));
    const credential = await save();
    await signIn(credential);
    const before = other.connections();
    expect((await call(credential, `http://${other.host}/`)).json).toMatchObject({ success: false, statusCode: 0 });
    expect(other.connections()).toBe(before);
    const api = server.seen.filter(({ url }) => url === "/api");
    expect(JSON.stringify(api)).not.toContain(client.secret);
    await other.stop();
  });

  test("S44 is forgotten when the addresses change, with the client secret", async () => {
    const credential = await save();
    await signIn(credential);
    const moved = {
      action: "save",
      id: credential,
      name: "Test",
      type: "oauth2",
      fields: { tokenUrl: "https://evil.example/t" },
    };
    expect((await callFunction(stack, "credentials", user.accessToken, moved)).status).toBe(200);
    expect((await call(credential)).json).toMatchObject(refused("Nobody has signed in"));
    const begun = await begin(credential);
    expect(begun.text).not.toContain(client.secret);
  });
});

describe("an application that signs in by itself", () => {
  const saveClient = (fields: object = {}) => {
    const { authorizationUrl: _page, ...rest } = entered(fields);
    return saveTestCredential(stack, user.accessToken, {
      type: "oauth2-client",
      fields: rest,
      allowedHosts: [server.host],
    });
  };

  test.each(["body", "header"] as const)(
    "proves itself in the %s, asks once, and again when it is refused",
    async (proof) => {
      twist = { proof };
      const credential = await saveClient({ clientProof: proof, parameters: "audience=https://api.example.com" });
      const [one, two] = await Promise.all([call(credential), call(credential)]);
      expect([one.json["statusCode"], two.json["statusCode"]]).toEqual([200, 200]);
      expect(server.asked).toHaveLength(1);
      expect(Object.fromEntries(server.asked[0] ?? [])).toMatchObject({
        grant_type: "client_credentials",
        scope: "mail.read mail.send",
        audience: "https://api.example.com",
      });
      server.withdraw("access");
      expect((await call(credential)).json).toMatchObject({ statusCode: 200 });
      expect(server.asked).toHaveLength(2);
    },
  );

  test("is told where its secret is refused", async () => {
    const credential = await saveClient({ clientSecret: "test-key-wrong-0123456789" });
    const answer = await call(credential);
    expect(answer.json).toMatchObject(refused("invalid_client"));
    expect(answer.text).not.toContain("test-key-wrong");
  });

  test("is no sign-in of a person", async () => {
    expect((await begin(await saveClient())).json).toMatchObject(refused("Nobody signs in"));
  });
});
