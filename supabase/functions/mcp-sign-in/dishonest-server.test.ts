import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../../local/testing/shared-stack.ts";
import { callFunction, saveTestCredential } from "../_shared/testing/call-function.ts";
import { startDishonestServer, type DishonestServer, type Twist } from "./testing/dishonest-server.ts";

let stack: SharedStack;
let user: SignedIn;
let server: DishonestServer;

beforeAll(async () => {
  stack = await sharedTestStack();
});
beforeEach(async () => {
  user = await signUp(stack);
});
afterEach(() => server.stop());

const back = () => `${stack.url}/oauth/callback`;
const ask = (body: Record<string, unknown>) =>
  callFunction(stack, "mcp-sign-in", user.accessToken, body, { origin: stack.url });
const begin = (credential: string, redirectUrl = back()) => ask({ action: "start", credential, redirectUrl });

async function meet(twist: Twist, fields: Record<string, unknown> = {}): Promise<string> {
  server = await startDishonestServer(twist);
  const url = `${server.origin}/mcp`;
  return saveTestCredential(stack, user.accessToken, { type: "mcp-oauth", fields: { url, ...fields } });
}

async function signIn(credential: string, answer: Record<string, unknown> = {}) {
  const { status, json, text } = await begin(credential);
  expect(status, text).toBe(200);
  const { pending, state } = json;
  return {
    finished: await ask({ action: "finish", credential, pending, state, code: "code", ...answer }),
    pending,
    state,
  };
}

const refusal = (code: string, words = "") => ({ error: { code, message: expect.stringContaining(words) } });

describe("a server that sends the person or the studio elsewhere", () => {
  const endpoint = (name: string, url: string): Twist => ({ metadata: () => ({ [name]: url }) });
  const own = () => new URL(back()).origin;

  test.each([
    ["S1 a page inside the network", endpoint("authorization_endpoint", "http://192.168.1.1/reboot"), "private"],
    ["S1 a token endpoint inside the network", endpoint("token_endpoint", "http://10.0.0.1/token"), "private"],
    ["S1 a registration inside the network", endpoint("registration_endpoint", "http://169.254.169.254/"), "private"],
    ["S5 a page with a user name", endpoint("authorization_endpoint", "http://bank.example@127.0.0.1/"), "user name"],
    ["S5 a page that is a file", endpoint("authorization_endpoint", "file:///etc/passwd"), "scheme"],
    ["S5 a token endpoint that is a file", endpoint("token_endpoint", "file:///etc/passwd"), "scheme"],
    ["S5 a page that is a script", endpoint("authorization_endpoint", "javascript:alert(1)"), "no answer"],
    ["S44 a token endpoint without encryption", endpoint("token_endpoint", "http://example.com/token"), "encrypted"],
    [
      "S1 an authorization server inside the network",
      { resource: () => ({ authorization_servers: ["http://169.254.169.254"] }) },
      "private",
    ],
    ["S44 another server's sign-in", { resource: () => ({ resource: "https://example.com/mcp" }) }, "another server"],
  ])("%s", async (_case, twist: Twist, words) => {
    const answer = await begin(await meet(twist));
    expect(answer.status, answer.text).not.toBe(200);
    expect(answer.text).toContain(words);
    expect(server.asked("/token")).toEqual([]);
  });

  test("S6 the studio itself, as the page, the token endpoint or the registration", async () => {
    for (const name of ["authorization_endpoint", "token_endpoint", "registration_endpoint"]) {
      const answer = await begin(await meet(endpoint(name, `${own()}/oauth/callback?code=theirs`)));
      expect(answer.json, name).toMatchObject(refusal("blocked_address", "own backend"));
    }
  });

  test("S4 by a redirect, which is not followed", async () => {
    const elsewhere = await startDishonestServer({});
    const location = `${elsewhere.origin}/token`;
    const credential = await meet({
      raw: ({ url = "" }, response) => {
        if (url.startsWith("/token")) response.writeHead(307, { location }).end();
        return url.startsWith("/token");
      },
    });
    const { finished } = await signIn(credential);
    expect(finished.json).toMatchObject(refusal("invalid_credentials"));
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.stop();
  });
});

describe("a server that says nothing of its sign-in", () => {
  const silent =
    (location: string): NonNullable<Twist["raw"]> =>
    ({ url = "" }, response) => {
      if (url.startsWith("/mcp")) response.writeHead(401, { "www-authenticate": "Bearer" }).end();
      else if (url.startsWith("/register")) response.writeHead(307, { location }).end();
      else response.writeHead(404).end();
      return true;
    };

  test("S4 and redirects the registration is not followed", async () => {
    const elsewhere = await startDishonestServer({});
    const answer = await begin(await meet({ raw: silent(`${elsewhere.origin}/register`) }));
    expect(answer.json).toMatchObject(refusal("invalid_config", "does not say where"));
    expect(server.asked("/register")).toHaveLength(1);
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.stop();
  });
});

describe("S44 a server that mixes in the page of an honest one", () => {
  const page = "http://localhost:65001/authorize";

  test.each([
    ["and is found out by where the page is", { authorization_endpoint: page }],
    ["and calls itself by its name", { authorization_endpoint: page, issuer: "http://localhost:65001" }],
    [
      "and calls itself by its name, which it promises to say",
      {
        authorization_endpoint: page,
        issuer: "http://localhost:65001",
        authorization_response_iss_parameter_supported: true,
      },
    ],
  ])("%s", async (_case, metadata) => {
    const answer = await begin(await meet({ metadata: () => metadata }));
    expect(answer.json).toMatchObject(refusal("blocked_address", "different servers"));
  });

  test("and is found out by what the honest one says", async () => {
    const metadata = { authorization_endpoint: page, authorization_response_iss_parameter_supported: true };
    const credential = await meet({ metadata: () => metadata });
    for (const issuer of [undefined, "http://localhost:65001", "http://localhost:65001/"]) {
      const { finished } = await signIn(credential, { issuer });
      expect(finished.json).toMatchObject(refusal("invalid_credentials", "does not belong"));
    }
    expect(server.asked("/token")).toEqual([]);
  });

  test.each(["https://accounts.example.com", "not an address", ""])(
    "and calls itself %o, not what the MCP server calls it",
    async (issuer) => {
      const answer = await begin(await meet({ metadata: () => ({ issuer }) }));
      expect(answer.json).toMatchObject(refusal("blocked_address", "different servers"));
    },
  );

  test("and one that is moved gets no client secret that the first one got", async () => {
    let token = "";
    const metadata = (origin: string) => ({
      registration_endpoint: undefined,
      token_endpoint: token === "" ? `${origin}/token` : token,
    });
    const credential = await meet({ metadata }, { clientId: "mine", clientSecret: "test-key-client-0123456789" });
    expect((await signIn(credential)).finished.status).toBe(200);
    const elsewhere = await startDishonestServer({});
    token = `${elsewhere.origin}/token`;
    expect((await begin(credential)).json).toMatchObject(refusal("invalid_credentials", "another sign-in server"));
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.stop();
  });
});

describe("a server whose answers cannot be used", () => {
  const token = (value: object): Twist => ({ token: () => value });

  test.each([
    ["S7 a token with a line break", token({ access_token: "a\r\nX-Evil: 1" })],
    ["a token that no header carries", token({ access_token: "tök€n" })],
    ["an empty token", token({ access_token: "" })],
    ["S8 a token of a hundred thousand letters", token({ access_token: "t".repeat(100_000) })],
    ["a token that is not sent as a bearer's", token({ token_type: "mac" })],
    ["no token", token({ access_token: undefined })],
  ])("%s leaves the credential as it was", async (_case, twist) => {
    const credential = await meet(twist);
    expect((await signIn(credential)).finished.json).toMatchObject(refusal("invalid_credentials", "sign-in server"));
    expect((await begin(credential)).status).toBe(200);
  });

  test.each([
    ["S8 a client ID of a hundred thousand letters", { registration: () => ({ client_id: "c".repeat(100_000) }) }],
    ["S7 a client secret with a line break", { registration: () => ({ client_secret: "s\r\ns" }) }],
    ["no client ID", { registration: () => ({ client_id: undefined }) }],
    ["S8 a description without end", { metadata: () => ({ more: "a".repeat(400_000) }) }],
    ["a sign-in without PKCE", { metadata: () => ({ code_challenge_methods_supported: ["plain"] }) }],
  ])("%s begins nothing", async (_case, twist: Twist) => {
    expect((await begin(await meet(twist))).json).toMatchObject(refusal("invalid_credentials", "sign-in server"));
  });

  test("long tokens, long lives and long lists are no hindrance", async () => {
    const methods = Array.from({ length: 200 }, (_, index) => `method-${index}`);
    const credential = await meet({
      metadata: () => ({ token_endpoint_auth_methods_supported: [...methods, "none"] }),
      token: () => ({ access_token: "t".repeat(9_000), expires_in: 1e300 }),
    });
    expect((await signIn(credential)).finished.status).toBe(200);
    const tested = await callFunction(stack, "credentials", user.accessToken, { action: "test", id: credential });
    // The server refuses every token: it was sent one.
    expect(tested.json).toMatchObject({ ok: false, message: expect.stringContaining("401") });
  });
});

describe("an answer that comes late or twice", () => {
  test("a sign-in that is done cannot be done again with another code", async () => {
    const credential = await meet({});
    const { finished, pending, state } = await signIn(credential);
    expect(finished.status).toBe(200);
    const again = await ask({ action: "finish", credential, pending, state, code: "theirs" });
    expect(again.json).toMatchObject(refusal("invalid_credentials", "done already"));
    expect(server.asked("/token")).toHaveLength(1);
  });

  test("S44 what was sealed for one sign-in, person or credential ends no other", async () => {
    const credential = await meet({});
    const [first, second] = [(await begin(credential)).json, (await begin(credential)).json];
    const url = `${server.origin}/mcp`;
    const other = await saveTestCredential(stack, user.accessToken, { type: "mcp-oauth", fields: { url } });
    const finish = { action: "finish", credential, pending: first.pending, state: first.state, code: "theirs" };
    const stranger = await signUp(stack);
    const answers = [
      await ask({ ...finish, state: second.state }),
      await ask({ ...finish, state: "" }),
      await ask({ ...finish, state: `${String(first.state)}x` }),
      await ask({ ...finish, credential: other }),
      await callFunction(stack, "mcp-sign-in", stranger.accessToken, finish, { origin: stack.url }),
      await ask({ ...finish, code: "c".repeat(1_000_000) }),
    ];
    expect(answers.filter(({ status }) => status < 400)).toEqual([]);
    expect(server.asked("/token")).toEqual([]);
  });

  test("S4 S8 one whose description goes round in redirects begins nothing", async () => {
    const around: Twist = {
      raw: ({ url = "" }, response) => {
        if (!url.includes(".well-known") && !url.startsWith("/resource")) return false;
        response.writeHead(302, { location: url }).end();
        return true;
      },
    };
    const answer = await begin(await meet(around));
    expect(answer.status).not.toBe(200);
    expect(server.seen.length).toBeLessThan(20);
  });

  test("S44 one that was begun for another address brings no token to this one", async () => {
    const credential = await meet({});
    const { pending, state } = (await begin(credential)).json;
    const fields = { url: "https://elsewhere.example.com/mcp" };
    const change = { action: "save", id: credential, name: "Moved", type: "mcp-oauth", fields };
    expect((await callFunction(stack, "credentials", user.accessToken, change)).status).toBe(200);
    const late = await ask({ action: "finish", credential, pending, state, code: "code" });
    expect(late.json).toMatchObject(refusal("invalid_credentials", "changed"));
  });

  test.each(["iv", "ciphertext", "keyVersion"])("what was sealed cannot be changed in %s", async (part) => {
    const credential = await meet({});
    const { pending, state } = (await begin(credential)).json;
    const changed = { ...(pending as object), [part]: part === "keyVersion" ? 99 : "AAAA" };
    const answer = await ask({ action: "finish", credential, pending: changed, state, code: "code" });
    expect(answer.json).toMatchObject(refusal("invalid_credentials", "not begun here"));
  });

  test("the way back is a page of the studio", async () => {
    const credential = await meet({});
    for (const redirectUrl of [`blob:${back()}`, back().replace("//", "//someone:else@"), `${back()}#part`]) {
      expect((await begin(credential, redirectUrl)).json, redirectUrl).toMatchObject(refusal("invalid_config", "back"));
    }
  });
});
