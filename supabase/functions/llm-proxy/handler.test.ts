import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../../local/testing/shared-stack.ts";
import { callFunction, saveTestCredential } from "../_shared/testing/call-function.ts";
import { startLoopbackServer, type LoopbackServer } from "../_shared/testing/loopback-server.ts";

const secret = "test-key-model-0123456789-abcd";

let stack: SharedStack;
let user: SignedIn;
let vendor: LoopbackServer;
let credential: string;
let goOn: () => void = () => undefined;
/** Resolves when the vendor's endless stream has lost its reader. */
let readerGone: Promise<void>;

beforeAll(async () => {
  let gone: () => void;
  readerGone = new Promise((resolve) => (gone = resolve));
  vendor = await startLoopbackServer((request, response) => {
    switch (request.url?.split("?")[0]) {
      case "/v1/models":
        return void response.writeHead(200, { "content-type": "application/json" }).end('{"data":[{"id":"one"}]}');
      case "/v1/responses":
        response.on("close", () => gone());
        response.writeHead(200, { "content-type": "text/event-stream" });
        return void response.write("data: first\n\n");
      case "/v1/embeddings":
        return void response
          .writeHead(429, { "retry-after": "7", "x-request-id": "r1", "set-cookie": "a=1", location: "/x" })
          .end(`{"error":"slow down, ${secret}"}`);
      case "/v1/audio/transcriptions":
        return void response.writeHead(200, { "content-type": "application/json" }).end('{"text":"Hello"}');
      case "/v1/completions":
        return void response.writeHead(307, { location: "http://169.254.169.254/" }).end();
      default:
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: one ${secret.slice(0, 9)}`);
        goOn = () => void response.end(`${secret.slice(9)} grüße\n\ndata: [DONE]\n\n`);
    }
  });
  stack = await sharedTestStack();
  user = await signUp(stack);
  const fields = { baseUrl: `http://${vendor.host}/v1`, apiKey: secret };
  credential = await saveTestCredential(stack, user.accessToken, { type: "openai-compatible", fields });
});

afterAll(async () => {
  await vendor.stop();
});

function send(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
  const headers = {
    authorization: `Bearer ${user.accessToken}`,
    "x-switchyard-credential": credential,
    ...init.headers,
  };
  return fetch(`${stack.url}/functions/v1/llm-proxy${path}`, { ...init, headers });
}

const post = (path: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> =>
  send(path, {
    method: "POST",
    body: '{"model":"one","stream":true}',
    headers: { "content-type": "application/json", ...headers },
    ...(signal === undefined ? {} : { signal }),
  });

describe("llm-proxy", () => {
  test("refuses what counts as free where the credential leads to no model server of this machine", async () => {
    const seen = vendor.seen.length;
    const response = await post("/embeddings", { "x-switchyard-local-only": "1" });
    expect(await response.json()).toMatchObject({
      error: { code: "invalid_credentials", hint: expect.stringContaining("Choose OpenAI-compatible") },
    });
    expect(vendor.seen).toHaveLength(seen);
  });

  test("streams in order while the vendor is still writing, with the key taken out", async () => {
    const response = await post("/chat/completions");
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.has("x-switchyard-error")).toBe(false);
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(first).toBe("data: one ");
    goOn();
    let rest = "";
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      rest += new TextDecoder().decode(next.value, { stream: true });
    }
    expect(rest).toBe("[redacted] grüße\n\ndata: [DONE]\n\n");
  });

  test("adds the stored key and drops the client's keys, cookies and other headers", async () => {
    const answer = post("/chat/completions?api-version=2&key=test-key-of-client", {
      "x-api-key": "test-key-of-client",
      "api-key": "test-key-of-client",
      "x-goog-api-key": "test-key-of-client",
      cookie: "session=1",
      "x-stainless-lang": "js",
      "openai-beta": "assistants=v2",
    });
    await expect.poll(() => vendor.seen.at(-1)?.url).toBe("/v1/chat/completions?api-version=2");
    goOn();
    await (await answer).text();
    const seen = vendor.seen.at(-1);
    expect(seen?.body).toBe('{"model":"one","stream":true}');
    expect(seen?.headers).toMatchObject({ authorization: `Bearer ${secret}`, "openai-beta": "assistants=v2" });
    expect(JSON.stringify(seen?.headers)).not.toMatch(/test-key-of-client|session=1|stainless|switchyard-credential/);
    expect(JSON.stringify(seen?.headers)).not.toContain(user.accessToken);
  });

  test("passes a recording on byte for byte, and the transcript back", async () => {
    const form = new FormData();
    form.append("file", new File([new Uint8Array(2_000).fill(0xff)], "call.mp3", { type: "audio/mpeg" }));
    form.append("model", "whisper-1");
    const response = await send("/audio/transcriptions", { method: "POST", body: form });
    expect(await response.json()).toEqual({ text: "Hello" });
    const seen = vendor.seen.at(-1);
    expect(seen?.url).toBe("/v1/audio/transcriptions");
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(String(seen?.headers["content-type"]))?.[1] ?? "none";
    expect(seen?.body.split(boundary)).toHaveLength(4);
    // Each byte is none of UTF-8.
    expect(seen?.body.match(/\uFFFD/g)).toHaveLength(2_000);
  });

  test("passes the vendor's errors on with the headers that matter", async () => {
    const response = await post("/embeddings");
    expect(response.status).toBe(429);
    expect(decodeURIComponent(response.headers.get("x-switchyard-credential-name") ?? "")).toMatch(/\S/);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(response.headers.get("x-request-id")).toBe("r1");
    for (const name of ["x-switchyard-error", "set-cookie", "location"]) expect(response.headers.has(name)).toBe(false);
    expect(await response.text()).toBe('{"error":"slow down, [redacted]"}');
  });

  test("a client that goes away ends the vendor's request and frees its place", async () => {
    const controller = new AbortController();
    const response = await post("/responses", {}, controller.signal);
    await response.body?.getReader().read();
    controller.abort();
    await readerGone;
    // It waits a few seconds for the next call.
    await expect
      .poll(() => stack.sql("select 1 from private.studio_slots where owner = $1", [user.userId]))
      .toEqual([]);
  });

  test("asks the vendor again over the connection that is open, and over another for another user", async () => {
    const { connections } = vendor;
    await (await send("/models")).text();
    const before = connections();
    for (let time = 0; time < 3; time += 1) await (await send("/models")).text();
    expect(connections()).toBe(before);
    const other = await signUp(stack);
    const fields = { baseUrl: `http://${vendor.host}/v1`, apiKey: secret };
    const own = await saveTestCredential(stack, other.accessToken, { type: "openai-compatible", fields });
    const headers = { authorization: `Bearer ${other.accessToken}`, "x-switchyard-credential": own };
    expect((await send("/models", { headers })).status).toBe(200);
    expect(connections()).toBe(before + 1);
  });

  test("lists models", async () => {
    expect(await (await send("/models")).json()).toEqual({ data: [{ id: "one" }] });
  });

  const refused: [string, string, Record<string, string>, string][] = [
    ["a path that is no model API", "/files", {}, "invalid_config"],
    ["no path", "", {}, "invalid_config"],
    ["a path that climbs", "/models/%2e%2e/files", {}, "invalid_config"],
    [
      "an unknown credential",
      "/chat/completions",
      { "x-switchyard-credential": crypto.randomUUID() },
      "invalid_credentials",
    ],
    [
      "a credential that is no id",
      "/chat/completions",
      { "x-switchyard-credential": "1,id.neq.0" },
      "invalid_credentials",
    ],
    ["a redirect of the vendor", "/completions", {}, "redirect_refused"],
  ];
  test.each(refused)("refuses %s in its own words", async (_case, path, headers, code) => {
    const response = await post(path, headers);
    expect(response.headers.get("x-switchyard-error")).toBe("1");
    expect(await response.json()).toMatchObject({
      error: { code, message: expect.any(String), hint: expect.any(String) },
    });
  });

  test("S44 the request cannot choose the address", async () => {
    const before = vendor.seen.length;
    const response = await post("//169.254.169.254/chat/completions", {
      "x-switchyard-base-url": "http://169.254.169.254",
    });
    expect(response.status).toBe(400);
    expect(vendor.seen.length).toBe(before);
  });

  test("S6 a credential on this machine reaches neither the studio's backend nor a service's port", async () => {
    for (const baseUrl of [`${stack.url}/rest/v1`, "http://127.0.0.1:5432/v1", "http://localhost:6379"]) {
      const draft = { action: "save", name: "x", type: "openai-compatible", fields: { baseUrl } };
      const answer = await callFunction(stack, "credentials", user.accessToken, draft);
      expect(answer.json["error"], baseUrl).toMatchObject({ code: "blocked_address" });
    }
  });

  test("an HTTP credential is no model credential", async () => {
    const draft = { type: "http-bearer", fields: { token: secret }, allowedHosts: ["api.example.com"] };
    const id = await saveTestCredential(stack, user.accessToken, draft);
    const response = await post("/chat/completions", { "x-switchyard-credential": id });
    expect(await response.json()).toMatchObject({ error: { code: "invalid_credentials" } });
  });
});

describe("at once, and whatever was remembered,", () => {
  const call = async (token: string, id: string): Promise<{ status: number; text: string }> => {
    const headers = { authorization: `Bearer ${token}`, "x-switchyard-credential": id };
    const response = await fetch(`${stack.url}/functions/v1/llm-proxy/models`, { headers });
    return { status: response.status, text: await response.text() };
  };

  test("S11 whoever has signed out is refused", async () => {
    const leaving = await signUp(stack);
    const fields = { baseUrl: `http://${vendor.host}/v1`, apiKey: secret };
    const own = await saveTestCredential(stack, leaving.accessToken, { type: "openai-compatible", fields });
    for (let time = 0; time < 3; time += 1) expect((await call(leaving.accessToken, own)).status).toBe(200);
    await leaving.client.auth.signOut();
    const { status, text } = await call(leaving.accessToken, own);
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ error: { code: "invalid_credentials", message: expect.any(String) } });
  });

  test("S45 a credential that was deleted is used no more, and one that was changed as it is now", async () => {
    const fields = { baseUrl: `http://${vendor.host}/v1`, apiKey: secret };
    const draft = { type: "openai-compatible", fields };
    const own = await saveTestCredential(stack, user.accessToken, draft);
    expect((await call(user.accessToken, own)).status).toBe(200);
    await saveTestCredential(stack, user.accessToken, {
      ...draft,
      id: own,
      fields: { ...fields, apiKey: `${secret}-2` },
    });
    expect((await call(user.accessToken, own)).status).toBe(200);
    expect(vendor.seen.at(-1)?.headers.authorization).toBe(`Bearer ${secret}-2`);
    expect((await user.client.from("studio_credentials").delete().eq("id", own)).error).toBeNull();
    const sent = vendor.seen.length;
    expect(JSON.parse((await call(user.accessToken, own)).text)).toMatchObject({
      error: { code: "invalid_credentials" },
    });
    expect(vendor.seen).toHaveLength(sent);
  });
});
