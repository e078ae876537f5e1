import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Credential } from "../_shared/credential-types.ts";
import { failure, success } from "../_shared/failure.ts";
import { parseHostList } from "../_shared/host-list.ts";
import { startLoopbackServer, type LoopbackServer } from "../_shared/testing/loopback-server.ts";
import { executeHttp, type ExecuteHttpResult, type OpenableCredential } from "./execute-http.ts";

const secret = "test-key-http-0123456789";

/** Bodies, one character a byte, whose encoding the header does not say. */
const documents: Record<string, readonly [type: string, body: string]> = {
  "/gbk.html": ["text/html", "<meta charset=gbk><p>\xcd\xcb\xbb\xf5</p>"],
  "/latin.xml": ["application/rss+xml", '<?xml version="1.0" encoding="ISO-8859-1"?><a>M\xfcller</a>'],
  "/wide.csv": ["text/csv", "\xff\xfea\0;\0\xfc\0"],
  "/plain-wide.csv": ["text/csv", "n\0a\0m\0e\0,\0c\0i\0t\0y\0\n\0"],
  "/shift.csv": ["text/csv", "\x96\xbc\x91\x4f,\x93\x73\x8e\x73\n\x93\x63\x92\x86,\x93\x8c\x8b\x9e\n"],
  "/no-text": ["text/plain", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"],
};

let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer((request, response) => {
    const path = new URL(request.url ?? "", "http://x").pathname;
    if (path === "/never") return;
    if (path === "/secret-name") {
      const isFresh = request.headers.authorization === `Bearer ${secret}`;
      const type = isFresh ? "application/pdf" : "application/problem";
      const disposition = `attachment; filename="${request.headers.authorization}.pdf"`;
      response.writeHead(isFresh ? 200 : 401, { "content-type": type, "content-disposition": disposition }).end("x");
    } else if (path === "/image")
      response.writeHead(200, { "content-type": "image/png" }).end(Buffer.from([1, 2, 3, 4]));
    else if (path === "/latin")
      response.writeHead(200, { "content-type": "text/plain; charset=iso-8859-1" }).end(Buffer.from([0xfc]));
    else if (path in documents) {
      const [type = "", body = ""] = documents[path] ?? [];
      response.writeHead(200, { "content-type": type }).end(Buffer.from(body, "latin1"));
    } else if (path === "/missing")
      response.writeHead(404, { "content-type": "application/json" }).end('{"error":"none"}');
    else response.writeHead(200, { "content-type": "text/plain" }).end(JSON.stringify([request.url, request.headers]));
  });
});

afterAll(() => server.stop());

async function run(
  input: Record<string, unknown>,
  credential?: Credential,
  allowedHosts: string[] = [server.host],
): Promise<ExecuteHttpResult> {
  const openable: OpenableCredential | null =
    credential === undefined ? null : { type: credential.type, allowedHosts, open: async () => success(credential) };
  const result = await executeHttp(
    { ...input, ...(openable === null ? {} : { credential: "one" }) },
    {
      policy: { allowHosts: parseHostList(server.host).list },
      findCredential: async () => (openable === null ? failure("invalid_credentials", "None.", "") : success(openable)),
    },
  );
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

const url = (path: string): string => `http://${server.host}${path}`;

describe("answers that are files", () => {
  const request = async (method: string, renewed: Credential | null) => {
    const kept: string[] = [];
    const old: Credential = { type: "http-bearer", fields: { token: "test-key-old" } };
    const renew = async () => (renewed ? success(renewed) : failure("invalid_credentials", "None.", ""));
    const result = await executeHttp(
      { url: url("/secret-name"), method, credential: "one", binary: "file" },
      {
        policy: { allowHosts: parseHostList(server.host).list },
        findCredential: async () =>
          success({ type: old.type, allowedHosts: [server.host], open: async () => success(old), renew }),
        files: {
          describe: async () => null,
          open: async () => null,
          async keep({ name, mediaType, bytes }) {
            for await (const _ of bytes);
            kept.push(name);
            return success({ $file: crypto.randomUUID(), name, mediaType, size: 1, sha256: "0".repeat(64) });
          },
        },
      },
    );
    if (!result.ok) throw new Error(result.error.message);
    return { kept, result: result.value };
  };
  const fresh: Credential = { type: "http-bearer", fields: { token: secret } };

  test("S105 are kept once, after a token was renewed, and under a name without secrets", async () => {
    const { kept, result } = await request("GET", fresh);
    expect(result).toMatchObject({ statusCode: 200, file: { mediaType: "application/pdf", name: kept[0] } });
    expect(kept).toHaveLength(1);
    expect(kept[0]).toContain("[redacted]");
    expect(JSON.stringify([kept, result])).not.toContain("test-key");
  });

  test("are not kept of a refusal before a token that cannot be renewed, nor of HEAD", async () => {
    const refused = await request("GET", null);
    expect(refused).toMatchObject({ kept: [], result: { statusCode: 401 } });
    const head = await request("HEAD", fresh);
    expect(head).toMatchObject({ kept: [], result: { statusCode: 200 } });
    expect(head.result).not.toHaveProperty("file");
  });
});

describe("executeHttp", () => {
  test("answers with status, headers and body as received", async () => {
    const result = await run({ url: url("/echo") });
    expect(result).toMatchObject({ success: true, statusCode: 200, truncated: false });
    expect(result.headers["content-type"]).toBe("text/plain");
    expect(result).not.toHaveProperty("error");
  });

  test("a status other than 2xx is no success, and still an answer", async () => {
    const result = await run({ url: url("/missing") });
    expect(result).toMatchObject({ success: false, statusCode: 404, body: '{"error":"none"}' });
  });

  test("describes binary bodies and reads other charsets", async () => {
    expect((await run({ url: url("/image") })).body).toBe("[binary, image/png, 4 bytes]");
    expect((await run({ url: url("/latin") })).body).toBe("ü");
    expect((await run({ url: url("/gbk.html") })).body).toBe("<meta charset=gbk><p>退货</p>");
    expect((await run({ url: url("/latin.xml") })).body).toContain("<a>Müller</a>");
    expect((await run({ url: url("/wide.csv") })).body).toBe("a;ü");
    expect((await run({ url: url("/plain-wide.csv") })).body).toBe("name,city\n");
    expect((await run({ url: url("/shift.csv") })).body).toBe("名前,都市\n田中,東京\n");
    expect((await run({ url: url("/no-text") })).body).toBe("[binary, text/plain, 16 bytes]");
  });

  test("sends method, query, headers and a JSON body", async () => {
    const headers = { "x-number": 5 };
    await run({ method: "put", url: url("/a?b=1"), query: { c: "d e", n: 2 }, headers, body: { f: [1] } });
    const seen = server.seen.at(-1);
    expect(seen).toMatchObject({ method: "PUT", url: "/a?b=1&c=d+e&n=2", body: '{"f":[1]}' });
    expect(seen?.headers).toMatchObject({ "content-type": "application/json", "x-number": "5" });
  });

  test("sends a parameter once for each value of a list", async () => {
    await run({ url: url("/a?ids=0"), query: { ids: ["1", 2, "a&b"], "x[]": ["y"], none: [] } });
    expect(server.seen.at(-1)?.url).toBe("/a?ids=0&ids=1&ids=2&ids=a%26b&x%5B%5D=y");
  });

  test("sends a text as it is", async () => {
    await run({ method: "POST", url: url("/a"), body: "plain" });
    expect(server.seen.at(-1)).toMatchObject({
      body: "plain",
      headers: { "content-type": "text/plain;charset=UTF-8" },
    });
  });

  test("waits as long as the request says, up to two minutes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      let result: ExecuteHttpResult | undefined;
      const calls = server.seen.length;
      const answered = run({ url: url("/never"), timeoutMs: 600_000 }).then((value) => (result = value));
      while (server.seen.length === calls) await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(119_000);
      expect(result).toBeUndefined();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await answered).toMatchObject({ success: false, statusCode: 0, error: { code: "timeout" } });
    } finally {
      vi.useRealTimers();
    }
  });

  test("only the allowed hosts may be called when some are named", async () => {
    const before = server.connections();
    const result = await run({ url: url("/"), allowedHosts: ["api.example.com"] });
    expect(result).toMatchObject({ success: false, statusCode: 0, body: null, error: { code: "blocked_address" } });
    expect(server.connections()).toBe(before);
    expect((await run({ url: url("/"), allowedHosts: [server.host] })).success).toBe(true);
  });

  const invalid = [{}, { url: 5 }, { url: "http://x", method: "TRACE" }, { url: "http://x", surprise: 1 }];
  test.each([...invalid, { url: "http://x", allowedHosts: ["http://x"] }])("refuses the request %j", async (input) => {
    await expect(run(input)).rejects.toThrow("invalid_config");
  });

  const credentials: [Credential, string, string][] = [
    [
      { type: "http-basic", fields: { username: "me", password: secret } },
      "authorization",
      `Basic ${btoa(`me:${secret}`)}`,
    ],
    [{ type: "http-bearer", fields: { token: secret } }, "authorization", `Bearer ${secret}`],
    [{ type: "http-header", fields: { name: "X-Token", value: secret } }, "x-token", secret],
    [{ type: "http-api-key", fields: { name: "X-Key", value: secret, in: "header" } }, "x-key", secret],
  ];
  test.each(credentials)("S43 sends $type and takes it out of the answer", async (credential, header, value) => {
    const result = await run({ url: url("/echo?a=1"), headers: { [header]: "mine" } }, credential);
    const seen = server.seen.at(-1);
    expect(seen?.headers[header]).toBe(value);
    expect(JSON.stringify(result)).not.toContain(secret);
    expect(JSON.stringify(result)).not.toContain(btoa(`me:${secret}`));
    expect(result.body).toContain("[redacted]");
  });

  test("S43 sends a key in the query and takes it out of the answer", async () => {
    const fields = { name: "key", value: secret, in: "query" as const };
    const result = await run({ url: url("/echo?a=1") }, { type: "http-api-key", fields });
    expect(server.seen.at(-1)?.url).toBe(`/echo?a=1&key=${secret}`);
    expect(result.body).toContain("/echo?a=1&key=[redacted]");
  });

  test("S43 sends a key in the path and takes it out of the answer; without a place for it nothing is sent", async () => {
    const fields = { name: "token", value: `12:${secret}`, in: "path" as const };
    const result = await run({ url: url("/echo/bot{token}/send") }, { type: "http-api-key", fields });
    expect(server.seen.at(-1)?.url).toBe(`/echo/bot12:${secret}/send`);
    expect(JSON.stringify(result)).not.toContain(secret);
    const before = server.connections();
    const without = await run({ url: url("/echo") }, { type: "http-api-key", fields });
    expect(without.error).toMatchObject({ code: "invalid_credentials", hint: expect.stringContaining("{token}") });
    expect(server.connections()).toBe(before);
  });

  const bearer: Credential = { type: "http-bearer", fields: { token: secret } };
  test.each([[[]], [["api.example.com"]], [["127.0.0.1:1"]]])(
    "S44 a secret for %j goes nowhere else",
    async (hosts) => {
      const before = server.connections();
      const result = await run({ url: url("/") }, bearer, hosts);
      expect(result).toMatchObject({ success: false, statusCode: 0, error: { code: "invalid_credentials" } });
      expect(server.connections()).toBe(before);
    },
  );

  test("a secret is not sent unencrypted to a public host", async () => {
    const result = await executeHttp(
      { url: "http://api.example.com/", credential: "one" },
      {
        policy: { allowHosts: [] },
        resolve: async () => ["93.184.215.14"],
        findCredential: async () =>
          success({ type: "http-bearer", allowedHosts: ["api.example.com"], open: async () => success(bearer) }),
      },
    );
    expect(result).toMatchObject({ ok: true, value: { error: { code: "invalid_credentials" } } });
    expect(result.ok && result.value.error?.message).toContain("https");
  });

  test("a credential of another kind is refused", async () => {
    await expect(run({ url: url("/") }, { type: "openai", fields: { apiKey: secret } })).rejects.toThrow("type openai");
  });
});
