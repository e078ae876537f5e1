import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { startTestStack, type TestStack } from "../../local/testing/start-stack.ts";
import { callFunction, type FunctionAnswer } from "../_shared/testing/call-function.ts";
import { startLoopbackServer, type LoopbackServer } from "../_shared/testing/loopback-server.ts";
import { createSelfSignedCertificate } from "../_shared/testing/self-signed-certificate.ts";

const mib = 1024 * 1024;

let stack: TestStack;
let user: SignedIn;
let target: LoopbackServer;
let closed: LoopbackServer;
let secure: LoopbackServer;
/** Called when a request to `/wait` has lost its reader. */
let onReaderGone: () => void = () => undefined;

beforeAll(async () => {
  closed = await startLoopbackServer((_request, response) => response.end("inside"));
  secure = await startLoopbackServer(
    (_request, response) => response.end("hi"),
    createSelfSignedCertificate("127.0.0.1"),
  );
  target = await startLoopbackServer((request, response) => {
    switch (request.url) {
      case "/endless": {
        const piece = Buffer.alloc(64 * 1024, "x");
        const write = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on("drain", write);
        return write();
      }
      case "/gzip-bomb":
        return void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(100 * mib, "x")));
      case "/brotli-bomb":
        return void response
          .writeHead(200, { "content-encoding": "br" })
          .end(brotliCompressSync(Buffer.alloc(100 * mib, "x")));
      case "/slow":
        return void response.write("the beginning");
      case "/wait":
        response.on("close", () => onReaderGone());
        return;
      case "/redirect":
        return void response.writeHead(302, { location: `http://${closed.host}/` }).end();
      case "/binary":
        return void response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(1234));
      default:
        return void response.writeHead(201, { "content-type": "application/json" }).end('{"ok":true}');
    }
  });
  stack = await startTestStack({ functions: true, allowHosts: `${target.host}, ${secure.host}` });
  user = await signUp(stack);
});

afterAll(async () => {
  await stack.stop();
  await Promise.all([target.stop(), closed.stop(), secure.stop()]);
});

const ask = (input: Record<string, unknown>): Promise<FunctionAnswer> =>
  callFunction(stack, "execute-http", user.accessToken, input);

const at = (path: string): string => `http://${target.host}${path}`;

describe("execute-http on Deno", () => {
  test("answers in the agreed form", async () => {
    const { status, json } = await ask({ method: "POST", url: at("/"), headers: { "x-a": "1" }, body: { b: 2 } });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      statusCode: 201,
      headers: expect.objectContaining({ "content-type": "application/json" }),
      body: '{"ok":true}',
      truncated: false,
    });
    expect(target.seen.at(-1)).toMatchObject({ method: "POST", body: '{"b":2}', headers: { "x-a": "1" } });
    expect(JSON.stringify(target.seen.at(-1)?.headers)).not.toContain(user.accessToken);
  });

  test("describes binary data", async () => {
    expect((await ask({ url: at("/binary") })).json["body"]).toBe("[binary, image/png, 1234 bytes]");
  });

  test.each(["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "localhost.", "0"])(
    "S1 refuses %s without opening a socket",
    async (host) => {
      const before = closed.connections();
      const { status, json } = await ask({ url: `http://${host}:${closed.port}/` });
      expect(status).toBe(200);
      expect(json).toEqual({
        success: false,
        statusCode: 0,
        headers: {},
        body: null,
        truncated: false,
        error: expect.objectContaining({ code: "blocked_address", retryable: false }),
      });
      expect(closed.connections()).toBe(before);
    },
  );

  test("S4 refuses a redirect to a private address", async () => {
    expect((await ask({ url: at("/redirect") })).json["error"]).toMatchObject({ code: "blocked_address" });
    expect(closed.seen).toEqual([]);
  });

  test("S5 S7 refuses other schemes, user info and forbidden headers", async () => {
    expect((await ask({ url: "file:///etc/passwd" })).json["error"]).toMatchObject({ code: "invalid_url" });
    expect((await ask({ url: `http://a:b@${target.host}/` })).json["error"]).toMatchObject({ code: "invalid_url" });
    const headers = { "X-Forwarded-For": "127.0.0.1" };
    expect((await ask({ url: at("/"), headers })).json["error"]).toMatchObject({ code: "invalid_header" });
  });

  test.each(["/endless", "/gzip-bomb", "/brotli-bomb"])("S8 cuts %s at 5 MiB, and lives", async (path) => {
    const { json } = await ask({ url: at(path) });
    expect(json).toMatchObject({ success: true, truncated: true });
    expect(String(json["body"]).length).toBeLessThanOrEqual(5 * mib);
    expect((await ask({ url: at("/") })).json).toMatchObject({ success: true });
  });

  test("S8 cuts a slow body by time", async () => {
    const { json } = await ask({ url: at("/slow"), timeoutMs: 2_000 });
    expect(json).toMatchObject({ statusCode: 200, body: "the beginning", truncated: true });
  });

  test("S8 a silent server is a timeout", async () => {
    expect((await ask({ url: at("/wait"), timeoutMs: 300 })).json["error"]).toMatchObject({ code: "timeout" });
  });

  test("S9 a bad certificate is an error, and nothing is sent", async () => {
    expect((await ask({ url: `https://${secure.host}/` })).json["error"]).toMatchObject({ code: "bad_certificate" });
    expect(secure.seen).toEqual([]);
  });

  test("a name that does not exist is a network error", async () => {
    const { json } = await ask({ url: "http://no-such-host.invalid/" });
    expect(json["error"]).toMatchObject({ code: "network", message: expect.stringContaining("no-such-host") });
  });

  test("a caller that goes away ends the call", async () => {
    const readerGone = new Promise<void>((resolve) => (onReaderGone = resolve));
    const waiting = target.seen.length;
    const controller = new AbortController();
    const answer = fetch(`${stack.url}/functions/v1/execute-http`, {
      method: "POST",
      headers: { authorization: `Bearer ${user.accessToken}` },
      body: JSON.stringify({ url: at("/wait") }),
      signal: controller.signal,
    });
    await expect.poll(() => target.seen.length).toBe(waiting + 1);
    controller.abort();
    await expect(answer).rejects.toThrow("abort");
    await readerGone;
  });

  test.each([{}, { url: 5 }, { url: "http://x", method: "TRACE" }])("answers 400 to %j", async (input) => {
    const answer = await ask(input);
    expect(answer.status).toBe(400);
    expect(answer.json["error"]).toMatchObject({ code: "invalid_config", hint: expect.any(String) });
  });
});
