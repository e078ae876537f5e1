import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createFunctionClient } from "../state/shared/storage/function-client.ts";
import { createModelFetch, type FunctionAccess } from "../state/shared/storage/model-fetch.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

interface Seen {
  url: string;
  method: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A server in the place of the edge functions; records what reaches it. */
async function functionsServer(answer: (response: ServerResponse, seen: Seen) => void) {
  const seen: Seen[] = [];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const entry = { url: request.url ?? "", method: request.method ?? "", headers: request.headers, body };
    seen.push(entry);
    answer(response, entry);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const access: FunctionAccess = {
    functionsUrl: `http://127.0.0.1:${port}/functions/v1`,
    publishableKey: "publishable",
    accessToken: async () => "user-token",
  };
  return { seen, access };
}

const connection = { provider: "openai", credential: "credential-1" };

describe("model fetch", () => {
  it("S43 sends path, query and body to the proxy with a credential id, and no key of its own", async () => {
    const { seen, access } = await functionsServer((response) => response.end("{}"));
    const modelFetch = createModelFetch(access);
    await modelFetch(connection, "https://api.openai.com/chat/completions?beta=1&key=test-key-query", {
      method: "POST",
      headers: { authorization: "Bearer test-key-header", "x-api-key": "test-key-header", "openai-beta": "x" },
      body: '{"model":"m"}',
    });
    await modelFetch(
      connection,
      new Request("https://vendor.example/v1/models", { headers: { "api-key": "test-key" } }),
    );
    expect(seen.map(({ url, method, body }) => ({ url, method, body }))).toEqual([
      { url: "/functions/v1/llm-proxy/chat/completions?beta=1", method: "POST", body: '{"model":"m"}' },
      { url: "/functions/v1/llm-proxy/v1/models", method: "GET", body: "" },
    ]);
    expect(seen[0]?.headers).toMatchObject({
      authorization: "Bearer user-token",
      apikey: "publishable",
      "x-switchyard-credential": "credential-1",
      "openai-beta": "x",
    });
    expect(JSON.stringify(seen)).not.toContain("test-key");
  });

  it("says of what counts as free that its credential has to lead to this machine", async () => {
    const { seen, access } = await functionsServer((response) => response.end("{}"));
    for (const provider of ["local", "openai-compatible"])
      await createModelFetch(access)({ ...connection, provider }, "/embeddings");
    expect(seen.map(({ headers }) => headers["x-switchyard-local-only"])).toEqual(["1", undefined]);
  });

  it("streams, and S56 aborts the open request", async () => {
    let closed: (() => void) | undefined;
    const whenClosed = new Promise<void>((resolve) => (closed = resolve));
    const { access } = await functionsServer((response) => {
      response.on("close", () => closed?.());
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: first\n\n");
    });
    const stop = new AbortController();
    const response = await createModelFetch(access)(connection, "/chat/completions", {
      method: "POST",
      body: "{}",
      signal: stop.signal,
    });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe("data: first\n\n");
    stop.abort();
    await expect(reader?.read()).rejects.toThrow(/abort/i);
    await whenClosed;
  });
});

describe("function client", () => {
  it("hands over the body of the answer", async () => {
    const { seen, access } = await functionsServer((response, { body }) => response.end(`{"got":${body}}`));
    const result = await createFunctionClient(access)(
      "execute-http",
      { url: "x" },
      { signal: AbortSignal.timeout(5000) },
    );
    expect(result).toEqual({ ok: true, body: { got: { url: "x" } } });
    expect(seen[0]).toMatchObject({ url: "/functions/v1/execute-http", method: "POST" });
  });

  it("S10 S11 passes on a refusal with its words and the time to wait", async () => {
    const { access } = await functionsServer((response) => {
      response.writeHead(429, { "retry-after": "7" });
      response.end(`{"error":{"code":"rate_limit","message":"Too many.","hint":"Wait 7 seconds.","retryable":true}}`);
    });
    expect(await createFunctionClient(access)("execute-http", {}, { signal: AbortSignal.timeout(5000) })).toEqual({
      ok: false,
      status: 429,
      error: { code: "rate_limit", message: "Too many.", hint: "Wait 7 seconds.", retryable: true, retryAfterMs: 7000 },
    });
  });

  it("turns a gateway's page and a broken connection into words", async () => {
    const { access } = await functionsServer((response) => {
      response.writeHead(502);
      response.end("<h1>Bad gateway</h1>");
    });
    const call = createFunctionClient(access);
    const signal = AbortSignal.timeout(5000);
    expect(await call("sql-tool", {}, { signal })).toMatchObject({
      ok: false,
      status: 502,
      error: { code: "internal", retryable: true, message: 'The function "sql-tool" answered with status 502.' },
    });
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    expect(await call("sql-tool", {}, { signal })).toMatchObject({ ok: false, status: 0, error: { retryable: true } });
  });

  it("rejects with the reason when aborted", async () => {
    const { access } = await functionsServer(() => {});
    const stop = new AbortController();
    const pending = createFunctionClient(access)("execute-http", {}, { signal: stop.signal });
    stop.abort(new Error("stopped"));
    await expect(pending).rejects.toThrow("stopped");
  });
});
